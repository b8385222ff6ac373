/** What a list can be narrowed to, as its address says it. */
export const filterNames = ['color', 'size', 'material', 'min_price', 'max_price', 'in_stock'] as const;

export const sorts = ['relevance', 'newest', 'price', '-price', 'rating', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** The filters and the order of a list. */
export interface Chosen {
  q?: string;
  color?: string;
  size?: string;
  material?: string;
  min_price?: number;
  max_price?: number;
  in_stock?: true;
  sort: Sort;
  page: number;
}

const longestValue = 100;
const longestSearch = 200;
const highestPrice = 9_999_999.99;
const lastPage = 400;

/** Reads the address of a list. What makes no sense counts as left out. */
export function chosenOf(address: URLSearchParams, byDefault: Sort): Chosen {
  const text = (name: string, longest: number) => address.get(name)?.trim().slice(0, longest) || undefined;
  const price = (name: string) => {
    const typed = text(name, longestValue)?.replace(',', '.');
    const value = typed === undefined ? Number.NaN : Number(typed);
    return value >= 0 && value <= highestPrice ? Math.round(value * 100) / 100 : undefined;
  };
  const page = Number(address.get('page') ?? 1);
  return {
    q: text('q', longestSearch),
    color: text('color', longestValue),
    size: text('size', longestValue),
    material: text('material', longestValue),
    min_price: price('min_price'),
    max_price: price('max_price'),
    in_stock: address.get('in_stock') === 'true' ? true : undefined,
    sort: sorts.find((sort) => sort === address.get('sort')) ?? byDefault,
    page: Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1,
  };
}

/** The address of a list with some of it changed; a changed filter or order begins at the first page again. */
export function addressOf(
  path: string,
  chosen: Chosen,
  changes: Partial<Record<keyof Chosen, string | number | undefined>>,
  byDefault: Sort,
): string {
  const all = { ...chosen, page: 1, ...changes };
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) {
    const isUsual = (name === 'page' && value === 1) || (name === 'sort' && value === byDefault);
    if (value !== undefined && value !== '' && !isUsual) address.set(name, String(value));
  }
  const text = address.toString();
  return text === '' ? path : `${path}?${text}`;
}

export const hasFilters = (chosen: Chosen): boolean => filterNames.some((name) => chosen[name] !== undefined);

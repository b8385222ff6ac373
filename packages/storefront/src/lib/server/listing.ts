import type { Product, ProductFacets, StoreClient } from '@store-service/sdk';
import { redirect } from '@sveltejs/kit';
import { toCard } from '$lib/card-product.ts';
import { addressOf, type Chosen, chosenOf, hasFilters, type Sort } from '$lib/listing.ts';
import { answered, answeredWhole } from './answered.ts';

const perPage = 24;
const valueFilters = { color: 'colors', size: 'sizes', material: 'materials' } as const;
type ValueFilter = keyof typeof valueFilters;

interface Asked {
  api: StoreClient;
  url: URL;
  /** The slug of the category that is shown. */
  category?: string;
  byDefault: Sort;
}

/**
 * The products of a list by its address, and what it can be narrowed to. A filter that is chosen shows its other values too: they
 * are counted without it. All calls are made at once.
 */
export async function listingOf({ api, url, category, byDefault }: Asked) {
  const chosen = chosenOf(url.searchParams, byDefault);
  const { q, sort, page, ...narrowed } = chosen;
  const filter = { ...narrowed, category, on_group: true };
  const paging = { sort, skip: (page - 1) * perPage, limit: perPage };
  const listed =
    q === undefined
      ? api.products.list({ query: { ...filter, ...paging } })
      : api.products.search({ query: { ...filter, ...paging, q } });
  const counted = (left: Partial<typeof filter>) => answered(api.products.facets({ query: { ...filter, ...left, q } }));
  const alternatives = (name: ValueFilter) => (filter[name] === undefined ? undefined : counted({ [name]: undefined }));
  const [{ data, response }, facets, colors, sizes, materials] = await Promise.all([
    answeredWhole(listed),
    counted({}),
    alternatives('color'),
    alternatives('size'),
    alternatives('material'),
  ]);
  if (data.length === 0 && page > 1) redirect(302, addressOf(url.pathname, chosen, {}, byDefault));
  const similar = data.length === 0 ? await similarTo(api, chosen) : [];
  const total = Number(response.headers.get('x-total-count') ?? data.length);
  return {
    chosen,
    byDefault,
    products: [...data, ...similar].map(toCard),
    total: similar.length > 0 ? similar.length : total,
    last: Math.max(1, Math.ceil(total / perPage)),
    isSimilar: similar.length > 0,
    facets: {
      color: valuesOf(colors ?? facets, 'color', chosen.color),
      size: valuesOf(sizes ?? facets, 'size', chosen.size),
      material: valuesOf(materials ?? facets, 'material', chosen.material),
      price: facets.price,
      in_stock: facets.in_stock,
    },
  };
}

export type Listing = Awaited<ReturnType<typeof listingOf>>;

/** What has words like those of a search that found nothing. */
async function similarTo(api: StoreClient, chosen: Chosen): Promise<Product[]> {
  if (chosen.q === undefined || hasFilters(chosen)) return [];
  return answered(api.products.search({ query: { q: chosen.q, similar: true, limit: perPage } }));
}

/** The values of a filter, with the chosen one even if it leaves nothing. */
function valuesOf(facets: ProductFacets, name: ValueFilter, chosen: string | undefined) {
  const values = facets[valueFilters[name]];
  const isThere = chosen === undefined || values.some(({ value }) => value.toLowerCase() === chosen.toLowerCase());
  return isThere ? values : [...values, { value: chosen, count: 0 }];
}

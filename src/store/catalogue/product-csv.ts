import { byteOrderMark, csvCell } from '../../platform/http/csv-cell.js';
import type { Product } from './catalogue.dto.js';

const ownFields = [
  'name',
  'description',
  'price',
  'stock',
  'color',
  'material',
  'size',
  'image_url',
  'group_id',
  'slug',
  'sku',
  'status',
] as const;
const fieldNames = [...ownFields, 'images', 'categories'] as const;

/** The fields of a product that its editors write, as a file has them. */
export type ProductFields = Pick<Product, (typeof ownFields)[number]> & {
  /** The pictures after its own, each on a line: its address, and after a blank its alternative text. */
  images: string | null;
  /** The slugs of its categories, between blanks. */
  categories: string | null;
};
export const productFieldNames: readonly (keyof ProductFields)[] = fieldNames;

/** The columns of the file, in the order of an export. */
export const csvColumns = ['id', ...fieldNames] as const;
export type CsvColumn = (typeof csvColumns)[number];

/** What an export puts before the beginning of a formula. */
const defusedFormula = /(^|[;\t\r\n])(["']*)'(?=[=+\-@＝＋－＠])/g;

export const csvHead = `${byteOrderMark}${csvColumns.join(',')}\r\n`;

export function imagesText(images: readonly { url: string; alt?: string | null }[]): string | null {
  return images.map(({ url, alt }) => (alt ? `${url} ${alt.replace(/\s+/g, ' ')}` : url)).join('\n') || null;
}

export function categoriesText(slugs: readonly string[]): string | null {
  return slugs.toSorted().join(' ') || null;
}

/** The pictures of a text, one on each line. */
export function imagesOf(text: string): { url: string; alt: string | null }[] {
  return text.split(/[\r\n]+/).flatMap((line) => {
    const [url = '', ...alt] = line.trim().split(/\s+/);
    return url === '' ? [] : [{ url, alt: alt.join(' ') || null }];
  });
}

/** The slugs in a text, between blanks or commas. */
export function categoriesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((slug) => slug !== ''))];
}

/** A product as a file has it. */
export function fileFieldsOf(product: Product): ProductFields {
  const own = Object.fromEntries(ownFields.map((field) => [field, product[field]])) as Pick<
    Product,
    (typeof ownFields)[number]
  >;
  const { images = [], categories = [] } = product;
  return { ...own, images: imagesText(images.slice(1)), categories: categoriesText(categories) };
}

/** A product as a line of the file (RFC 4180). */
export function csvLine(product: Product): string {
  const fields = { id: product.id, ...fileFieldsOf(product) };
  return `${csvColumns.map((column) => csvCell(fields[column])).join(',')}\r\n`;
}

/** The text of a cell without the apostrophes that an export gave it. */
export function textOfCell(cell: string): string {
  return cell.replace(defusedFormula, '$1$2');
}

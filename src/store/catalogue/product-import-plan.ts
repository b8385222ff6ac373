import { hash } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { Invalid } from '../../platform/errors/invalid.js';
import { validated } from '../../platform/validation/validated.js';
import { AdminProductCreate, AdminProductUpdate } from './admin-products.dto.js';
import type { Product } from './catalogue.dto.js';
import {
  categoriesOf,
  categoriesText,
  fileFieldsOf,
  imagesOf,
  imagesText,
  type ProductFields,
  productFieldNames,
} from './product-csv.js';
import type { ProductImport, ProductImportChange } from './product-files.dto.js';
import type { CsvFault, CsvRow } from './read-product-csv.js';

const mostShown = 200;
const longestShown = 200;
const maxId = 2_147_483_647;

/** A line that was read as a product: a new one where it has no id. */
export interface Draft {
  line: number;
  id: number | null;
  fields: Partial<ProductFields>;
}

/** A product that a line changes, or adds if there is none before. */
export interface PlannedChange {
  line: number;
  before: Product | null;
  /** The same as a file has it. */
  earlier: ProductFields | null;
  after: ProductFields;
}

/** The changes that an import would make, or the faults that prevent it. */
export interface ImportPlan {
  changes: PlannedChange[];
  unchanged: number;
  faults: CsvFault[];
}

const none: ProductFields = {
  name: '',
  description: null,
  price: 0,
  stock: 0,
  color: null,
  material: null,
  size: null,
  image_url: null,
  group_id: null,
  slug: null,
  sku: null,
  status: 'published',
  images: null,
  categories: null,
};

function idOf(cell: string | undefined): number | null | undefined {
  const text = (cell ?? '').trim();
  if (text === '') return null;
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= maxId ? id : undefined;
}

/** Cells as a body would have them: lists, and what an empty cell means where no blank text is taken. */
function sentOf({ images, categories, group_id, slug, status, ...same }: CsvRow['cells']): Record<string, unknown> {
  return {
    ...same,
    ...(group_id === undefined ? {} : { group_id: group_id.trim() || null }),
    ...(slug?.trim() ? { slug: slug.trim() } : {}),
    ...(status?.trim() ? { status: status.trim() } : {}),
    ...(images === undefined ? {} : { images: imagesOf(images) }),
    ...(categories === undefined ? {} : { categories: categoriesOf(categories) }),
  };
}

/** The fields that the cells of a line give a product; null where they are at fault, which goes to `faults`. */
function fieldsOf(
  dto: new () => AdminProductCreate | AdminProductUpdate,
  { line, cells }: CsvRow,
  faults: CsvFault[],
): Partial<ProductFields> | null {
  try {
    const { images, categories, ...own } = validated(dto, sentOf(cells), 'body', { textual: true });
    return {
      ...own,
      ...(images === undefined ? {} : { images: imagesText(images) }),
      ...(categories === undefined ? {} : { categories: categoriesText(categories) }),
    };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    for (const { loc, msg } of error.problems) faults.push({ line, field: String(loc[1]), detail: msg });
    return null;
  }
}

/** Reads the cells of lines as products, and gathers all faults in `faults`. */
export async function draftsOf(rows: readonly CsvRow[], faults: CsvFault[]): Promise<Draft[]> {
  const lines = new Map<number, number>();
  const taken = { slug: new Map<string, number>(), sku: new Map<string, number>() };
  const drafts: Draft[] = [];
  for (const [n, { line, cells }] of rows.entries()) {
    // To explain a faulty line takes a tenth of a millisecond.
    if (n % 100 === 99) await othersFirst();
    const { id: idCell, ...others } = cells;
    const id = idOf(idCell);
    if (id === undefined)
      faults.push({ line, field: 'id', detail: 'Input should be the number of a product, or empty' });
    const earlier = typeof id === 'number' ? lines.get(id) : undefined;
    if (earlier !== undefined) faults.push({ line, field: 'id', detail: `Line ${earlier} has the same product` });
    else if (typeof id === 'number') lines.set(id, line);
    const fields = fieldsOf(id === null ? AdminProductCreate : AdminProductUpdate, { line, cells: others }, faults);
    for (const field of ['slug', 'sku'] as const) {
      const value = fields?.[field];
      if (!value) continue;
      const first = taken[field].get(value);
      if (first === undefined) taken[field].set(value, line);
      else faults.push({ line, field, detail: `Line ${first} has the same ${field}` });
    }
    if (fields && id !== undefined) drafts.push({ line, id, fields });
  }
  return drafts;
}

function differs(before: ProductFields, after: ProductFields): boolean {
  return productFieldNames.some((field) => before[field] !== after[field]);
}

/** The changes to the products as they are now. */
export function planOf(drafts: readonly Draft[], listed: readonly Product[], faults: readonly CsvFault[]): ImportPlan {
  const byId = new Map(listed.map((product) => [product.id, product]));
  const plan: ImportPlan = { changes: [], unchanged: 0, faults: [...faults] };
  for (const { line, id, fields } of drafts) {
    const before = id === null ? null : byId.get(id);
    if (before === undefined) {
      plan.faults.push({ line, field: 'id', detail: 'There is no such product: leave the id empty for a new one' });
      continue;
    }
    const earlier = before && fileFieldsOf(before);
    const after: ProductFields = Object.assign({ ...none }, earlier, fields);
    if (after.image_url === null && fields.images) {
      const detail = 'These are the pictures after image_url: give the product an image_url, too';
      plan.faults.push({ line, field: 'images', detail });
      continue;
    }
    // Without its own picture, a product has no gallery.
    if (after.image_url === null) after.images = null;
    if (earlier !== null && !differs(earlier, after)) plan.unchanged++;
    else plan.changes.push({ line, before, earlier, after });
  }
  plan.faults.sort((one, other) => one.line - other.line);
  return plan;
}

/** The fields that differ. */
export function changedFields({ earlier, after }: PlannedChange): (keyof ProductFields)[] {
  return productFieldNames.filter((field) => (earlier ?? none)[field] !== after[field]);
}

function shown(value: string | number | null): string | number | null {
  return typeof value === 'string' && value.length > longestShown
    ? `${value.slice(0, longestShown).toWellFormed()}…`
    : value;
}

function shownChange(change: PlannedChange, added: ReadonlyMap<number, number>): ProductImportChange {
  const { line, before, earlier, after } = change;
  const fields = changedFields(change).map((field) => {
    return [field, { from: earlier === null ? null : shown(earlier[field]), to: shown(after[field]) }] as const;
  });
  return { line, id: before?.id ?? added.get(line) ?? null, name: after.name, fields: Object.fromEntries(fields) };
}

function digestOf({ changes }: ImportPlan): string {
  const all = changes.map((change) => {
    const { before, earlier, after } = change;
    return [before?.id, changedFields(change).map((field) => [field, earlier?.[field], after[field]])];
  });
  return hash('sha1', JSON.stringify(all), 'base64url');
}

/** A plan as a dry run returns it; after the import, with the ids of the added products by their lines. */
export function toProductImport(plan: ImportPlan, added: ReadonlyMap<number, number> | null = null): ProductImport {
  const { changes, unchanged, faults } = plan;
  const created = changes.filter(({ before }) => before === null).length;
  return {
    dry_run: added === null,
    created,
    updated: changes.length - created,
    unchanged,
    refused_count: faults.length,
    refused: faults.slice(0, mostShown),
    changes: changes.slice(0, mostShown).map((change) => shownChange(change, added ?? new Map())),
    digest: digestOf(plan),
  };
}

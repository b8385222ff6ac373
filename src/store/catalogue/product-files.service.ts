import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CacheTag } from '../../platform/changes/change-bus.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { PayloadTooLarge, Unavailable, UnsupportedMediaType } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { bytesOf } from '../../platform/http/request-bytes.js';
import { closeAfterResponse } from '../../platform/http/close-after-response.js';
import { maxFaults } from '../../platform/validation/problems.js';
import { Changes } from '../../database/changes.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Product } from './catalogue.dto.js';
import { auditOfProduct } from './product-audit.js';
import { ProductEvents } from './product-events.js';
import { assortment, changedGroups, updatedProduct } from './product-cache-tags.js';
import { categoriesOf, csvHead, csvLine, imagesOf, type ProductFields } from './product-csv.js';
import { mostVariants } from './product-columns.statements.js';
import { ProductDetailsRepository } from './product-details.repository.js';
import { groupFull, skuTaken, slugTaken } from './product-refusals.js';
import { ProductFilesRepository } from './product-files.repository.js';
import type { ProductImport } from './product-files.dto.js';
import {
  changedFields,
  type Draft,
  draftsOf,
  type ImportPlan,
  type PlannedChange,
  planOf,
  toProductImport,
} from './product-import-plan.js';
import type { CsvFault, CsvRow } from './read-product-csv.js';

const maxBytes = 5 * 2 ** 20;
const batchSize = 500;
/** One import holds about 30 MB. */
const importing = { atOnce: 3, waiting: 20, waitMs: 10_000 };
const comeBackSeconds = 5;

const takenTypes = new Set(['text/csv', 'application/csv', 'text/plain', 'application/octet-stream']);
const takenCharset = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii)$/i;

/** The options of an import. */
interface ImportOptions {
  dryRun: boolean;
  ifMatch: string | null;
}

function assertType(contentType: string): void {
  const [type = '', ...parameters] = contentType.split(';');
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(parameters.join(';'))?.[1] ?? 'utf-8';
  if (takenTypes.has(type.trim().toLowerCase()) && takenCharset.test(charset)) return;
  throw new UnsupportedMediaType(`Send the file as text/csv in UTF-8 (got: ${contentType.slice(0, 100)})`);
}

async function receive(request: Request, response: Response): Promise<Buffer> {
  assertType(request.headers['content-type'] ?? 'text/csv');
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of bytesOf(request, maxBytes)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof PayloadTooLarge) closeAfterResponse(request, response);
    throw error;
  }
  return Buffer.concat(chunks);
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += batchSize) yield all.slice(start, start + batchSize);
}

function assertFaultless(faults: readonly CsvFault[]): void {
  if (faults.length === 0) return;
  const problems = faults.slice(0, maxFaults).map(({ line, field, detail }) => {
    return { loc: ['body', line, ...(field === null ? [] : [field])], type: 'value_error', msg: detail };
  });
  throw new Invalid(problems);
}

const describes = (change: PlannedChange) =>
  changedFields(change).some((field) => field === 'name' || field === 'description');

type Categories = ReadonlyMap<string, number>;

/** Exports and imports the catalog as a file of comma-separated values. */
@Injectable()
export class ProductFilesService {
  private readonly importing = new FairSemaphore(importing);

  constructor(
    private readonly repository: ProductFilesRepository,
    private readonly details: ProductDetailsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly audit: AuditLog,
    private readonly events: ProductEvents,
  ) {}

  /**
   * All products as CSV, read a page at a time, at the reader's pace. The first page is there before the answer begins,
   * so that it can still be refused while the database is away.
   */
  async export(): Promise<Readable> {
    const first = await this.repository.pageAfter(0, batchSize);
    return Readable.from(this.lines(first), { objectMode: false });
  }

  /**
   * Adds and updates the products of a file, all or none; or reports what that would do. Throws `Invalid` with each
   * fault by its line, `PayloadTooLarge`, `UnsupportedMediaType`, `ChangedMeanwhile` where the outcome differs from the
   * dry run that `ifMatch` names, and `Unavailable` where too many imports wait.
   */
  import(request: Request, response: Response, options: ImportOptions): Promise<ProductImport> {
    const work = async (): Promise<ProductImport> => {
      // Here, so that a start does not load csv-parse.
      const { readProductCsv } = await import('./read-product-csv.js');
      const { rows, faults } = await readProductCsv(await receive(request, response));
      return this.take(rows, faults, options);
    };
    const sentence = 'Too many imports are waiting: try again in a few seconds';
    return this.importing.run(work, { refusal: () => new Unavailable(sentence, 'busy', comeBackSeconds) });
  }

  private async *lines(page: Product[]): AsyncGenerator<string> {
    yield csvHead;
    for (;;) {
      if (page.length > 0) yield page.map(csvLine).join('');
      const last = page.at(-1);
      if (!last || page.length < batchSize) return;
      page = await this.repository.pageAfter(last.id, batchSize);
    }
  }

  private async take(
    rows: readonly CsvRow[],
    faultsOfFile: readonly CsvFault[],
    { dryRun, ifMatch }: ImportOptions,
  ): Promise<ProductImport> {
    const faults = [...faultsOfFile];
    const drafts = await draftsOf(rows, faults);
    const ids = drafts.flatMap(({ id }) => (id === null ? [] : [id]));
    const categories = await this.categoriesOf(drafts, faults);
    if (dryRun || faults.length > 0) {
      const plan = planOf(drafts, await this.repository.listed(ids, { lock: false }), faults);
      if (!dryRun) assertFaultless(plan.faults);
      return toProductImport(plan);
    }
    const work = this.unitOfWork.run(async () => {
      const plan = planOf(drafts, await this.repository.listed(ids, { lock: true }), faults);
      assertFaultless(plan.faults);
      assertUnchanged(ifMatch, toProductImport(plan));
      return toProductImport(plan, await this.write(plan, categories));
    });
    return refuseViolations(work, skuTaken);
  }

  /** The ids of the categories that lines name; unknown ones are faults. */
  private async categoriesOf(drafts: readonly Draft[], faults: CsvFault[]): Promise<Map<string, number>> {
    const named = drafts.map(({ line, fields }) => ({ line, slugs: categoriesOf(fields.categories ?? '') }));
    const all = [...new Set(named.flatMap(({ slugs }) => slugs))];
    const known = all.length === 0 ? new Map<string, number>() : await this.details.categoryIds(all);
    for (const { line, slugs } of named) {
      const unknown = slugs.find((slug) => !known.has(slug));
      if (unknown !== undefined)
        faults.push({ line, field: 'categories', detail: `There is no category "${unknown}"` });
    }
    return known;
  }

  /** Carries out the plan, and returns the ids of the added products by their lines. */
  private async write({ changes }: ImportPlan, categories: Categories): Promise<Map<number, number>> {
    const added = new Map<number, number>();
    const tags = new Set<CacheTag>();
    for (const batch of batchesOf(changes.filter(({ before }) => before === null))) {
      const products = await this.repository.insertAll(batch.map(({ after }) => after));
      for (const [n, { line, after }] of batch.entries()) {
        added.set(line, products[n]?.id ?? 0);
        if (after.slug !== null && products[n]?.slug !== after.slug) throw slugTaken(after.slug);
      }
      const withIds = batch.map((change) => ({ ...change, id: added.get(change.line) ?? 0 }));
      const written = await this.writeDetails(withIds, categories);
      await this.audit.record(...written.map((product) => auditOfProduct('product.created', null, product)));
      await this.events.record(written.map((after) => ({ before: null, after })));
      for (const tag of [assortment, ...changedGroups(...written)]) tags.add(tag);
    }
    for (const batch of batchesOf(
      changes.flatMap((change) => (change.before ? [{ ...change, before: change.before }] : [])),
    )) {
      const withIds = batch.map((change) => ({ ...change, id: change.before.id }));
      const products = withIds.map(({ id, after }) => ({ ...after, id }));
      await this.repository.updateAll(products);
      const described = withIds.filter(describes).map(({ id, after }) => ({ ...after, id }));
      if (described.length > 0) await this.repository.describeAll(described);
      const written = new Map((await this.writeDetails(withIds, categories)).map((product) => [product.id, product]));
      const done = withIds.map(({ id, before }) => ({ before, after: written.get(id) ?? before }));
      await this.audit.record(...done.map(({ before, after }) => auditOfProduct('product.updated', before, after)));
      await this.events.record(done);
      for (const change of withIds) {
        const changed = Object.fromEntries(changedFields(change).map((field) => [field, change.after[field]]));
        for (const tag of updatedProduct(change.id, changed)) tags.add(tag);
        if ('status' in changed) tags.add(assortment);
        for (const tag of changedGroups(change.before, written.get(change.id) ?? null)) tags.add(tag);
      }
    }
    this.changes.invalidate([...tags]);
    return added;
  }

  /** Writes what lies beside written products, and returns them as they are then, in the order of their lines. */
  private async writeDetails(
    changes: readonly (PlannedChange & { id: number })[],
    categories: Categories,
  ): Promise<Product[]> {
    const withChanged = (field: keyof ProductFields) =>
      changes.filter((change) => changedFields(change).includes(field));
    const moved = withChanged('slug').flatMap(({ id, before, after }) =>
      before && after.slug !== null ? [{ id, slug: after.slug }] : [],
    );
    const refused = moved.length === 0 ? null : await this.repository.moveSlugs(moved);
    if (refused !== null) throw slugTaken(refused);
    if (moved.length > 0) await this.details.forgetSlugs(moved.map(({ id }) => id));
    const groups = withChanged('group_id').flatMap(({ after }) => after.group_id ?? []);
    if (groups.length > 0 && (await this.details.hasOverfullGroup(groups, mostVariants))) throw groupFull();
    const galleries = withChanged('images');
    if (galleries.length > 0) {
      await this.repository.setGalleries(new Map(galleries.map(({ id, after }) => [id, imagesOf(after.images ?? '')])));
    }
    const sorted = withChanged('categories');
    if (sorted.length > 0) {
      const idsOf = (text: string) => categoriesOf(text).flatMap((slug) => categories.get(slug) ?? []);
      await this.repository.setCategories(new Map(sorted.map(({ id, after }) => [id, idsOf(after.categories ?? '')])));
    }
    const drafted = withChanged('status').filter(({ before, after }) => before !== null && after.status === 'draft');
    if (drafted.length > 0) await this.details.leaveCarts(drafted.map(({ id }) => id));
    const written = await this.repository.listed(
      changes.map(({ id }) => id),
      { lock: false },
    );
    return written.toSorted((one, other) => one.id - other.id);
  }
}

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
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Product } from './catalogue.dto.js';
import { auditOfProduct } from './product-audit.js';
import { ProductEvents } from './product-events.js';
import { assortment, updatedProduct } from './product-cache-tags.js';
import { csvHead, csvLine } from './product-csv.js';
import { ProductFilesRepository } from './product-files.repository.js';
import type { ProductImport } from './product-files.dto.js';
import {
  changedFields,
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

/** Exports and imports the catalog as a file of comma-separated values. */
@Injectable()
export class ProductFilesService {
  private readonly importing = new FairSemaphore(importing);

  constructor(
    private readonly repository: ProductFilesRepository,
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
    if (dryRun || faults.length > 0) {
      const plan = planOf(drafts, await this.repository.listed(ids, { lock: false }), faults);
      if (!dryRun) assertFaultless(plan.faults);
      return toProductImport(plan);
    }
    return this.unitOfWork.run(async () => {
      const plan = planOf(drafts, await this.repository.listed(ids, { lock: true }), faults);
      assertFaultless(plan.faults);
      assertUnchanged(ifMatch, toProductImport(plan));
      return toProductImport(plan, await this.write(plan));
    });
  }

  /** Carries out the plan, and returns the ids of the added products by their lines. */
  private async write({ changes }: ImportPlan): Promise<Map<number, number>> {
    const added = new Map<number, number>();
    const tags = new Set<CacheTag>();
    for (const batch of batchesOf(changes.filter(({ before }) => before === null))) {
      const products = await this.repository.insertAll(batch.map(({ after }) => after));
      for (const [n, { line }] of batch.entries()) added.set(line, products[n]?.id ?? 0);
      await this.audit.record(...products.map((product) => auditOfProduct('product.created', null, product)));
      await this.events.record(products.map((after) => ({ before: null, after })));
      tags.add(assortment);
    }
    for (const batch of batchesOf(changes.filter(({ before }) => before !== null))) {
      const products = batch.map(({ after }) => after as Product);
      await this.repository.updateAll(products);
      const described = batch.filter(describes).map(({ after }) => after as Product);
      if (described.length > 0) await this.repository.describeAll(described);
      await this.audit.record(
        ...batch.map(({ before, after }) => auditOfProduct('product.updated', before, after as Product)),
      );
      await this.events.record(batch.map(({ before, after }) => ({ before, after: after as Product })));
      for (const change of batch) {
        const changed = Object.fromEntries(changedFields(change).map((field) => [field, change.after[field]]));
        for (const tag of updatedProduct((change.after as Product).id, changed)) tags.add(tag);
      }
    }
    this.changes.invalidate([...tags]);
    return added;
  }
}

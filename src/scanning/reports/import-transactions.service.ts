import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { keyOfAnotherRequest, requestRunning } from '../../platform/http/idempotency-key.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SpoolFile } from '../spool-file.js';
import { type ImportKey, ImportKeysRepository } from './import-keys.repository.js';
import { ImportPagesService } from './import-pages.service.js';
import type { ImportQuery } from './import-query.dto.js';
import type { ImportResult } from './reports.dto.js';

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Writes each import in one transaction: once for an Idempotency-Key, and rolled back for a dry run. */
@Injectable()
export class ImportTransactionsService {
  constructor(
    private readonly repository: ImportKeysRepository,
    private readonly pages: ImportPagesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The key of an import, with the digest of its query and report; null without one, and for a dry run, which may be
   * repeated.
   */
  async keyOf(
    organizationId: string,
    key: string | null,
    query: ImportQuery,
    report: SpoolFile,
  ): Promise<ImportKey | null> {
    if (key === null || query.dryRun) return null;
    const digest = createHash('sha256').update(JSON.stringify(Object.entries(query).sort(byName)));
    for await (const chunk of report.read()) digest.update(chunk);
    return { organizationId, key, hash: digest.digest('hex') };
  }

  /** The answer to the key's earlier import, or null; `Invalid` for a key that another import had. */
  async stored(key: ImportKey | null): Promise<ImportResult | null> {
    const stored = key === null ? null : await this.repository.stored(key);
    if (stored !== null && stored.hash !== key?.hash) throw keyOfAnotherRequest(key?.key);
    return stored?.response ?? null;
  }

  /**
   * Runs `write` in one transaction, and stores its result under the key; returns the earlier result if there is one.
   * `Conflict` while another import of the key is running.
   */
  run(
    key: ImportKey | null,
    { organizationId, isDryRun }: { organizationId: string; isDryRun: boolean },
    write: () => Promise<ImportResult>,
  ): Promise<ImportResult> {
    if (isDryRun) return this.rehearse(write, organizationId);
    if (key === null) return this.unitOfWork.run(write);
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.lock(key))) throw requestRunning();
      const stored = await this.stored(key);
      if (stored) return stored;
      const result = await write();
      // A database without advisory locks lets two imports of one key run: the second one is rolled back.
      if (!(await this.repository.keep(key, result))) throw requestRunning();
      return result;
    });
  }

  /** Rolls everything back but the list of issues, which is what a dry run is for. */
  private async rehearse(write: () => Promise<ImportResult>, organizationId: string): Promise<ImportResult> {
    const list = new SpoolFile();
    try {
      const result = await this.unitOfWork.rehearse(async () => {
        const written = await write();
        if (written.listed) await this.pages.save(organizationId, written.scan.id, list);
        return written;
      });
      if (result.listed) await this.unitOfWork.run(() => this.pages.restore(organizationId, result.scan.id, list));
      return result;
    } finally {
      await list.close();
    }
  }
}

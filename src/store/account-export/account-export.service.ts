import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountExports } from '../../platform/account-export/account-exports.js';
import { exportedAtOnce, type ExportSection } from '../../platform/account-export/export-section.statements.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Rates } from '../../platform/quotas/rates.js';
import { AccountExportRepository, type ExportedRow } from './account-export.repository.js';
import { shopSections } from './account-export.statements.js';

/** Writes everything that is held about an account as one JSON object, with an array for each kind. */
@Injectable()
export class AccountExportService implements OnModuleInit {
  constructor(
    private readonly repository: AccountExportRepository,
    private readonly exports: AccountExports,
    private readonly rates: Rates,
  ) {}

  onModuleInit(): void {
    this.exports.add(...shopSections);
  }

  /**
   * What is held about the caller, read a page at a time, at the reader's pace. The first page is there before the answer
   * begins, so that it can still be refused while the database is away. `RateExceeded` after too many of them.
   */
  async of({ id }: CallerIdentity): Promise<Readable> {
    await this.rates.take('exports', id);
    const [profile, ...others] = this.exports.sections;
    if (!profile) throw new Error('No module has added what it holds about accounts');
    const first = await this.repository.page(profile, id);
    return Readable.from(this.pieces(id, [profile, ...others], first), { objectMode: false });
  }

  private async *pieces(userId: string, sections: ExportSection[], first: ExportedRow[]): AsyncGenerator<string> {
    yield `{"exported_at":"${new Date().toISOString()}"`;
    for (const [n, section] of sections.entries()) {
      yield `,"${section.name}":[`;
      yield* this.rowsOf(userId, section, n === 0 ? first : await this.repository.page(section, userId));
      yield ']';
    }
    yield '}';
  }

  private async *rowsOf(userId: string, section: ExportSection, page: ExportedRow[]): AsyncGenerator<string> {
    for (let separator = ''; ; separator = ',') {
      if (page.length > 0) yield separator + page.map(({ body }) => body).join(',');
      const last = page.at(-1);
      if (!last || page.length < exportedAtOnce) return;
      page = await this.repository.page(section, userId, last);
    }
  }
}

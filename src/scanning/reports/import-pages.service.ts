import { Injectable } from '@nestjs/common';
import { Invalid } from '../../platform/errors/invalid.js';
import { found } from '../../platform/errors/errors.js';
import type { SpoolFile } from '../spool-file.js';
import { type Comparison, ImportOutcomesRepository, type OutcomeIds } from './import-outcomes.repository.js';
import { ImportPagesRepository } from './import-pages.repository.js';
import type { ImportedIssuePage } from './reports.dto.js';

const ofPage = 500;

/** Keeps the whole list of issues of an import for a day, for whoever asks for it. */
@Injectable()
export class ImportPagesService {
  constructor(
    private readonly outcomes: ImportOutcomesRepository,
    private readonly repository: ImportPagesRepository,
  ) {}

  /** Stores all issues of an import in the current unit of work. Returns true. */
  async keep(compared: Comparison, ids: OutcomeIds): Promise<true> {
    await this.repository.sweep();
    const pages = await this.outcomes.keepPages(compared, ids, ofPage);
    if (pages === 0) await this.repository.add(compared.organizationId, compared.scanIds[0] ?? '', 0, '[]');
    return true;
  }

  /**
   * Copies the list of a dry run into a spool file, a page a line, before the unit of work that made it is rolled back.
   */
  async save(organizationId: string, importId: string, into: SpoolFile): Promise<void> {
    for (let page = 0; ; page++) {
      const row = await this.repository.page(organizationId, importId, page);
      if (!row) return;
      await into.writeLine(await this.repository.textOf(organizationId, importId, page));
      if (!row.hasMore) return;
    }
  }

  /** Keeps a list that `save` copied. */
  async restore(organizationId: string, importId: string, from: SpoolFile): Promise<void> {
    let page = 0;
    for await (const lines of from.lines()) {
      for (const line of lines) await this.repository.add(organizationId, importId, page++, line.toString());
    }
  }

  /**
   * A page of the list. `NotFound` where nobody asked for it, or it is older than a day; `Invalid` for a broken cursor.
   */
  async get(organizationId: string, importId: string, cursor: string | undefined): Promise<ImportedIssuePage> {
    const page = cursor === undefined ? 0 : Number(/^\d{1,7}$/.exec(cursor)?.[0] ?? NaN);
    if (Number.isNaN(page)) {
      throw Invalid.at(
        ['query', 'cursor'],
        'value_error',
        'Input should be the nextCursor of an earlier response',
        cursor,
      );
    }
    const { issues, hasMore } = found(
      await this.repository.page(organizationId, importId, page),
      'List of this import',
    );
    return { data: issues, nextCursor: hasMore ? String(page + 1) : null };
  }
}

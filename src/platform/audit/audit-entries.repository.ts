import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { Given } from '../../database/filtered-statement.js';
import { appendAuditSql, type AuditFilterName, auditPage } from './audit-entries.statements.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';

const append = statement('audit.append', appendAuditSql('$1'));

/** An entry as it is read, with the present names of people. */
export type AuditEntryRow = Omit<AuditEntryEntity, 'logId'>;

@Injectable()
export class AuditEntriesRepository {
  constructor(private readonly database: Database) {}

  /** Appends entries, a JSON array of rows. */
  async append(rows: string): Promise<void> {
    await this.database.execute(append, [rows]);
  }

  page(
    logId: string,
    after: [Date | 'infinity', string],
    limit: number,
    filter: Given<AuditFilterName>,
  ): Promise<AuditEntryRow[]> {
    const { statement: page, values } = auditPage.of([logId, ...after, limit], filter);
    return this.database.rows<AuditEntryRow>(page, values);
  }
}

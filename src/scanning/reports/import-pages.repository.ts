import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { ImportedIssue } from './reports.dto.js';

const lifetime = `interval '24 hours'`;

/** Deletes some outdated pages of other imports. */
const sweep = statement(
  'import-pages.sweep',
  `DELETE FROM import_pages WHERE (organization_id, import_id, page) IN (
     SELECT organization_id, import_id, page FROM import_pages
      WHERE created_at <= now() - ${lifetime} ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
);

const add = statement(
  'import-pages.add',
  'INSERT INTO import_pages (organization_id, import_id, page, issues) VALUES ($1, $2, $3, $4::json)',
);

export const importPage = statement(
  'import-pages.page',
  `SELECT p.issues, EXISTS (
            SELECT FROM import_pages n
             WHERE n.organization_id = $1 AND n.import_id = $2 AND n.page = p.page + 1) AS "hasMore"
     FROM import_pages p
    WHERE p.organization_id = $1 AND p.import_id = $2 AND p.page = $3 AND p.created_at > now() - ${lifetime}`,
);

const pageText = statement(
  'import-pages.text',
  'SELECT issues::text AS text FROM import_pages WHERE organization_id = $1 AND import_id = $2 AND page = $3',
);

/** The lists of issues of imports. */
@Injectable()
export class ImportPagesRepository {
  constructor(private readonly database: Database) {}

  async sweep(): Promise<void> {
    await this.database.execute(sweep);
  }

  async add(organizationId: string, importId: string, page: number, json: string): Promise<void> {
    await this.database.execute(add, [organizationId, importId, page, json]);
  }

  page(
    organizationId: string,
    importId: string,
    page: number,
  ): Promise<{ issues: ImportedIssue[]; hasMore: boolean } | null> {
    return this.database.row(importPage, [organizationId, importId, page]);
  }

  /** A page as JSON, in the unit of work that made it. */
  async textOf(organizationId: string, importId: string, page: number): Promise<string> {
    return (await this.database.one<{ text: string }>(pageText, [organizationId, importId, page])).text;
  }
}

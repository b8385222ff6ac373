import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accounts } from './baseline/accounts.js';
import { auditLog } from './baseline/audit-log.js';
import { events } from './baseline/events.js';
import { issueReferences } from './baseline/issue-references.js';
import { issues } from './baseline/issues.js';
import { comparedTexts } from './baseline/compared-texts.js';
import { organizations } from './baseline/organizations.js';
import { shop } from './baseline/shop.js';
import { webhookExport } from './baseline/webhook-export.js';

/** The schema of the first release. Later migrations change it; this one stays as it is. */
export class Baseline1700000000000 implements MigrationInterface {
  name = 'Baseline1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE EXTENSION IF NOT EXISTS unaccent');
    const [{ server_encoding }] = (await runner.query('SHOW server_encoding')) as [{ server_encoding: string }];
    const [{ schema }] = (await runner.query(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'unaccent'`,
    )) as [{ schema: string }];
    await runner.query(comparedTexts({ isUnicode: server_encoding === 'UTF8', schema }));
    for (const sql of [accounts, shop, organizations, issues, issueReferences, events, webhookExport, auditLog]) {
      await runner.query(sql);
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Nothing was before the baseline: drop the database instead'));
  }
}

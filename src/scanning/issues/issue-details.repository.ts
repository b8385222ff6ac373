import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { KnownRule } from './finding-detail.js';

/** In the order of digests, so that two imports of the same rules wait for each other without a deadlock. */
const keepRules = statement(
  'issues.keep-rules',
  `INSERT INTO issue_rules (organization_id, digest, rule)
   SELECT $1, r.digest, r.rule FROM json_to_recordset($2::json) AS r(digest text, rule jsonb) ORDER BY r.digest
   ON CONFLICT DO NOTHING`,
);

/** What the newest scan says; one that says the same writes nothing. */
const follow = statement(
  'issues.follow-details',
  `INSERT INTO issue_details AS d (issue_id, rule_digest, detail)
   SELECT f.issue_id, f.rule_digest, f.detail
     FROM json_to_recordset($1::json) AS f(issue_id uuid, rule_digest text, detail jsonb) ORDER BY f.issue_id
   ON CONFLICT (issue_id) DO UPDATE SET rule_digest = excluded.rule_digest, detail = excluded.detail
    WHERE (d.rule_digest, d.detail) IS DISTINCT FROM (excluded.rule_digest, excluded.detail)`,
);

/** The rules and details of issues, which reports bring. */
@Injectable()
export class IssueDetailsRepository {
  constructor(private readonly database: Database) {}

  /** Keeps the rules that the organization does not have yet. */
  async keepRules(organizationId: string, rules: KnownRule[]): Promise<void> {
    const json = rules.map(({ digest, json: rule }) => `{"digest":${JSON.stringify(digest)},"rule":${rule}}`);
    await this.database.execute(keepRules, [organizationId, `[${json.join(',')}]`]);
  }

  /** Replaces what is known of issues by what the newest scan says: each as JSON with `issue_id`, `rule_digest` and `detail`. */
  async follow(details: string[]): Promise<void> {
    if (details.length > 0) await this.database.execute(follow, [`[${details.join(',')}]`]);
  }
}

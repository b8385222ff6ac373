import type { Client } from 'pg';
import { makePartitions } from './fill-events.js';
import { assetCount, benchIdSql, organizationId, profileCount, scanCount } from './fill-organization.js';

const issuesSql = `
INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, context, alert_uid,
                    security_test_uid, identity, scan_id, created_at, due_at, last_seen_at)
SELECT ${benchIdSql('issue', 'n')}, '${organizationId}', ${benchIdSql('asset', `n % ${assetCount}`)},
       'Weakness ' || n, 'Weakness ' || n || ' (high risk)', 'HIGH', 'INJECTION', 'OPEN',
       'The parameter "q" of page ' || n || ' reaches the database as it is. Bind it instead of joining it to the text.',
       'alert-' || n, 'test-' || n % 100, 'identity-' || n, ${benchIdSql('scan', `n % ${scanCount}`)},
       now() - n * interval '1 second', now() + (n % 9000 - 90) * interval '1 minute', now() - n % 777 * interval '1 minute'
  FROM generate_series(0, $1::int - 1) AS n`;

const targetsSql = `
INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
SELECT ${benchIdSql('target', 'n')}, ${benchIdSql('issue', 'n')}, 'https://shop.example.com/search/' || n,
       ${benchIdSql('scan', `n % ${scanCount}`)},
       jsonb_build_object('webPage', jsonb_build_object('id', ${benchIdSql('target', 'n')},
                          'url', 'https://shop.example.com/search/' || n))
  FROM generate_series(0, $1::int - 1) AS n`;

const eventsSql = `
INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description, asset_ids,
                         issue_ids, attachments, attachment_types, attachment_text)
SELECT ${benchIdSql('target', 'n')}, now(), '${organizationId}', ${benchIdSql('scan', `n % ${scanCount}`)},
       ${benchIdSql('profile', `n % ${profileCount}`)}, 'WARNING', 'EXECUTION', 'Weakness found on page ' || n,
       'The answer to a quote in the parameter "q" is an error of the database.',
       ARRAY[${benchIdSql('asset', `n % ${assetCount}`)}], ARRAY[${benchIdSql('issue', 'n')}], '[]', '{}', ''
  FROM generate_series(0, $1::int - 1) AS n`;

/** Fills an organization with issues, each with a target and an event about it. */
export async function fillIssues(client: Client, count: number): Promise<void> {
  await makePartitions(client, new Date());
  for (const sql of [issuesSql, targetsSql, eventsSql]) await client.query(sql, [count]);
  await client.query('VACUUM ANALYZE');
}

import type { Client } from 'pg';
import { type Month, monthOf } from '../../src/database/months.js';
import type { EmptyDatabase } from '../fill.js';
import { assetCount, benchIdSql, organizationId, profileCount, scanCount } from './fill-organization.js';

const parent = 'scan_events';
const dayMs = 86_400_000;
const days = 350;

/** One event in this many is about a given issue or case, which searches look for. */
export const issueCount = 20_000;
export const caseCount = 5_000;

// $1 to $2 of $3 events, the first at $4 (milliseconds), over $5 milliseconds. One in 30 has an attachment of each type.
const eventsSql = `
INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description, asset_ids,
                         issue_ids, attachments, attachment_types, attachment_text)
SELECT (left(hex, 8) || '-' || right(hex, 4) || '-7' || lpad(to_hex(n & 4095), 3, '0') || '-8000-'
         || lpad(to_hex(n), 12, '0'))::uuid,
       to_timestamp(ms / 1000.0), '${organizationId}', ${benchIdSql('scan', 'scan')},
       ${benchIdSql('profile', `scan % ${profileCount}`)},
       CASE WHEN n % 100 = 0 THEN 'ERROR' WHEN n % 20 = 1 THEN 'WARNING' WHEN n % 3 = 0 THEN 'DEBUG' ELSE 'INFO' END,
       (ARRAY['CONFIGURATION', 'EXECUTION', 'AGENT_REASONING', 'AGENT_ACTION'])[1 + n / 7 % 4],
       'Request ' || n % 977 || ' to /' || word,
       'Case ' || n % ${caseCount} || ' of the ' || word || ' page: answered ' || 200 + n % 5 * 100 || ' after ' || n % 911
         || ' ms, nothing that points to a weakness.',
       ARRAY[${benchIdSql('asset', `n * 7919 % ${assetCount}`)}],
       CASE WHEN n % 4 = 0 THEN ARRAY[${benchIdSql('issue', `n / 4 % ${issueCount}`)}] ELSE '{}' END,
       CASE WHEN kind IS NULL THEN '[]' ELSE format(
         '[{"id":"00000000-0000-7000-8000-%s","createdAt":"2026-01-01T00:00:00.000Z","type":"%s",%s}]',
         lpad(n::text, 12, '0'), kind, CASE kind
           WHEN 'EXCHANGE' THEN '"exchange":{"request":{"method":"GET","url":"https://shop.example.com/' || word
                                || '"},"response":{"status":200,"body":"Welcome back"},"durationMs":12}'
           WHEN 'SNIPPET' THEN '"snippet":{"name":"page.ts","language":"typescript","content":"render(' || word || ')"}'
           ELSE '"screenshot":{"url":"https://shop.example.com/' || word || '.png","alt":"The page"}' END) END::json,
       CASE WHEN kind IS NULL THEN '{}' ELSE ARRAY[kind] END,
       CASE kind WHEN 'EXCHANGE' THEN 'GET https://shop.example.com/' || word || E'\\n200\\nWelcome back'
                 WHEN 'SNIPPET' THEN E'page.ts\\ntypescript\\nrender(' || word || ')'
                 WHEN 'SCREENSHOT' THEN 'https://shop.example.com/' || word || E'.png\\nThe page'
                 ELSE '' END
  FROM (SELECT n, ms, n * ${scanCount} / $3::bigint AS scan, lpad(to_hex(ms), 12, '0') AS hex,
               (ARRAY['login', 'cart', 'search', 'profile', 'orders', 'returns', 'help', 'admin'])[1 + n % 8] AS word,
               CASE n % 30 WHEN 0 THEN 'EXCHANGE' WHEN 10 THEN 'SNIPPET' WHEN 20 THEN 'SCREENSHOT' END AS kind
          FROM (SELECT n, $4::bigint + n * $5::bigint / $3::bigint AS ms
                  FROM generate_series($1::bigint, $2::bigint) AS n) AS numbered) AS e`;

/** Counts everything at once instead of the trigger. */
const countsSql = `
INSERT INTO scan_event_counts (organization_id, hour, level, backend, count)
SELECT organization_id, date_bin('1 hour', created_at, '2000-01-01 00:00Z'), level, 0, count(*)
  FROM scan_events GROUP BY 1, 2, 3`;

/** Makes the partitions for events of a time and of all times since, up to tomorrow. */
export async function makePartitions(client: Client, since: Date): Promise<Month[]> {
  const months: Month[] = [];
  for (
    let month = monthOf(parent, since);
    month.from.getTime() < Date.now() + dayMs;
    month = monthOf(parent, month.to)
  ) {
    months.push(month);
  }
  const partitions = months.map(
    ({ name, from, to }) => `CREATE TABLE ${name} PARTITION OF scan_events
      FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
  );
  await client.query(partitions.join(';'));
  return months;
}

/** Drops the secondary indexes on events; returns the statements that recreate them on a partition. */
async function dropIndexes(client: Client): Promise<(table: string) => string[]> {
  const { rows } = await client.query<{ name: string; sql: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS sql FROM pg_index
      WHERE indrelid = 'scan_events'::regclass AND NOT indisprimary`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return (table) =>
    rows.map(({ name, sql }) => {
      const index = table === 'scan_events' ? name : '';
      return sql.replace(/INDEX \S+ ON ONLY \S+/, `INDEX ${index} ON ${table}`);
    });
}

/** Lets both connections work through the tasks, each taking the next one left. */
async function shareOut<T>(clients: Client[], work: T[], task: (client: Client, one: T) => Promise<unknown>) {
  const left = [...work];
  await Promise.all(
    clients.map(async (client) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await task(client, one);
    }),
  );
}

/** Fills an organization with events of the last 350 days in order of time, and builds their indexes afterwards. */
export async function fillEvents({ client, connect }: EmptyDatabase, count: number): Promise<void> {
  const started = Date.now() - days * dayMs;
  const months = await makePartitions(client, new Date(started));
  const indexesOf = await dropIndexes(client);
  const other = await connect();
  const clients = [client, other];
  for (const one of clients) {
    await one.query(
      "SET synchronous_commit = off; SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 0",
    );
  }
  await client.query('ALTER TABLE scan_events DISABLE TRIGGER scan_events_added'); // counted at once below
  const half = Math.floor(count / 2);
  const halves = [
    [0, half - 1],
    [half, count - 1],
  ];
  await shareOut(clients, halves, (one, [from, to]) => one.query(eventsSql, [from, to, count, started, days * dayMs]));
  await client.query(countsSql);
  await client.query('ALTER TABLE scan_events ENABLE TRIGGER scan_events_added');
  await shareOut(clients, months, (one, { name }) => one.query(indexesOf(name).join(';')));
  await client.query(indexesOf('scan_events').join(';')); // takes those of the partitions
  await other.end();
  await client.query('RESET ALL');
  await client.query('VACUUM (ANALYZE, INDEX_CLEANUP off)');
}

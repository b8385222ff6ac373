import { uuidV7, uuidV7At } from '../../src/platform/crypto/uuid-v7.js';
import type { TestApp } from '../support/test-app.js';

/** 500 characters: a tag that must not become one, two directions, emoji, and no place to break the line. */
export const badName = '<script>globalThis.isTaken=true</script><img src=x onerror=isTaken=true>مرحبا\u202e👩‍👩‍👧‍👦'.padEnd(
  500,
  'W',
);

/** Columns that people and scanners fill, with the length that each takes. */
const named: Record<string, [column: string, length: number][]> = {
  products: [
    ['name', 200],
    ['description', 500],
    ['color', 500],
  ],
  orders: [
    ['shipping_first_name', 500],
    ['shipping_address', 500],
    ['shipping_city', 500],
    ['shipping_method', 50],
  ],
  order_items: [['product_name', 200]],
  reviews: [
    ['title', 200],
    ['content', 500],
  ],
  testimonials: [['content', 500]],
  users: [
    ['first_name', 100],
    ['bio', 500],
  ],
  organizations: [['name', 200]],
  workflows: [['name', 200]],
  integrations: [['name', 200]],
  profiles: [['name', 200]],
  tags: [['name', 90]],
  assets: [['name', 500]],
  issues: [
    ['name', 500],
    ['context', 500],
  ],
  scan_events: [
    ['title', 500],
    ['description', 500],
  ],
};

/** Tables in which not every row is renamed: one tag, and more events than any screen shows. */
const only: Record<string, string> = {
  tags: 'WHERE id = (SELECT id FROM tags ORDER BY id LIMIT 1)',
  scan_events:
    'WHERE created_at >= (SELECT min(created_at) FROM (SELECT created_at FROM scan_events ORDER BY created_at DESC LIMIT 1000) AS newest)',
};

/** Gives everything that has a name the bad one. */
export async function nameAllBadly({ database }: TestApp): Promise<void> {
  for (const [table, columns] of Object.entries(named)) {
    const set = columns.map(([column, length]) => `${column} = left($1, ${length})`).join(', ');
    await database.rows(`UPDATE ${table} SET ${set} ${only[table] ?? ''}`, [badName]);
  }
}

/** Writes a thousand orders of the user, one of which is cancelled; returns that one's number. */
export async function insertThousandOrders({ database }: TestApp, userId: string): Promise<number> {
  const [order] = await database.rows<{ id: number }>(
    `WITH made AS (
       INSERT INTO orders (user_id, status, total_price)
       SELECT $1, CASE n WHEN 500 THEN 'cancelled' ELSE 'pending' END, 1 FROM generate_series(1, 1000) AS n
       RETURNING id, status
     ) SELECT id FROM made WHERE status = 'cancelled'`,
    [userId],
  );
  return order?.id ?? 0;
}

/** Writes a hundred thousand lines of a scan, a millisecond apart, the last one now. */
export async function insertManyEvents({ database }: TestApp, scanId: string): Promise<void> {
  await database.rows(
    `INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                              asset_ids, issue_ids, attachments, attachment_types, attachment_text)
     SELECT gen_random_uuid(), now() - n * interval '1 millisecond', s.organization_id, s.id, s.application_id, 'INFO',
            'EXECUTION', 'Line ' || n, '', '{}', '{}', '[]', '{}', ''
       FROM scans s, generate_series(0, 99999) AS n WHERE s.id = $1`,
    [scanId],
  );
}

/** Writes an event of ten megabytes, in its description and in snippets; returns its id. */
export async function insertLargeEvent({ database }: TestApp, scanId: string): Promise<string> {
  const now = new Date();
  const id = uuidV7At(now, 0);
  const text = (length: number) => 'A line of a log, and so on\n'.repeat(length / 27);
  const attachments = Array.from({ length: 10 }, (_, index) => ({
    id: uuidV7(),
    createdAt: now.toISOString(),
    type: 'SNIPPET',
    snippet: { name: `log-${index}`, language: 'text', content: text(900_000) },
  }));
  await database.rows(
    `INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                              asset_ids, issue_ids, attachments, attachment_types, attachment_text)
     SELECT $2, $5, organization_id, id, application_id, 'INFO', 'EXECUTION', 'Ten megabytes', $3, '{}', '{}', $4,
            '{SNIPPET}', '' FROM scans WHERE id = $1`,
    [scanId, id, text(1_000_000), JSON.stringify(attachments), now],
  );
  return id;
}

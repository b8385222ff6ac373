import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { expectFile } from '../support/snapshot-file.js';

const src = new URL('../../src/', import.meta.url);

/** Why a table has more than one writer. */
const leaving = 'deleting an account clears what is its own in one statement';
const delivering = 'a run is made by its workflow and settled by its export';
const sending = 'who sends makes them, and the engine settles them';
const spreading = 'what Citus spreads has functions in place of triggers, which npm run distribute makes';
const reasons: Record<string, string> = {
  cart_items: 'a checkout empties the cart, and a product that goes leaves all carts, each in one statement',
  carts: 'made with the account and locked by the checkout',
  coupons: 'a checkout uses one, and a cancelled order returns it',
  event_batches: spreading,
  event_positions: spreading,
  idempotency_keys: `a merged cart keeps its answer in the statement of the merge; ${leaving}`,
  known_devices: leaving,
  login_challenges: leaving,
  oidc_identities: leaving,
  oidc_logins: leaving,
  orders: leaving,
  products: 'a checkout takes the stock, and a cancelled order returns it',
  recovery_codes: leaving,
  reviews: leaving,
  scan_events: spreading,
  sessions: leaving,
  testimonials: leaving,
  user_addresses: leaving,
  users: `two-factor login is kept with its account; ${leaving}`,
  webhook_deliveries: sending,
  workflow_runs: delivering,
};

/** Files whose SQL takes the table's name from elsewhere, and from where. */
const named: Record<string, string> = {
  'demo/demo-data.repository.ts': 'the catalogue: a reset empties every table but the audit log',
  'demo/demo-rows.repository.ts': 'the call, which the list reads',
  'platform/key-rotation/sealed-values.repository.ts': 'the declaration of the column: the rotation of keys seals all',
  'scanning/scan-events/event-writes.repository.ts': 'the month: imports copy events into its partition',
};

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('database/migrations/'))
  .map((file) => ({ file, text: readFileSync(new URL(file, src), 'utf8') }));

/** `store/users` for a file of that module, `database` for a file anywhere in that folder. */
function moduleOf(file: string): string {
  const [floor = '', module = ''] = file.split('/');
  return ['store', 'scanning'].includes(floor) ? `${floor}/${module}` : floor;
}

const tableOfEntity = new Map(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/@Entity\((?:\{\s*name: )?'(\w+)'[\s\S]*?export class (\w+)/g)].map(
      ([, table = '', entity = '']) => [entity, table] as const,
    ),
  ),
);

const bySql = /\b(?:INSERT INTO|DELETE FROM|COPY)\s+([a-z_]+)|\bUPDATE\s+([a-z_]+)(?:\s+(?:AS\s+)?[a-z]+)?\s+SET\b/g;
const writes = 'insert|update|delete|save|remove|upsert|increment|decrement';

/** The entities that a file writes through TypeORM repositories. */
function entitiesWritten(text: string): string[] {
  const injected = [...text.matchAll(/(\w+): Repository<(\w+)>/g)].filter(([, name]) =>
    new RegExp(`\\b${name}\\s*\\.(?:${writes})\\(`).test(text),
  );
  return injected.map(([, , entity = '']) => entity);
}

/** The demo names the table in its call, not in its SQL. */
const byDemo = /\.insert(?:Keyed)?\(\s*'([a-z_]+)'/g;
/** SQL whose table is an expression, named by its caller. */
const dynamic = /\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|COPY) \$\{/;

function tablesWritten(file: string, text: string): string[] {
  const entities = entitiesWritten(text).map((entity) => tableOfEntity.get(entity) ?? `the table of ${entity}`);
  const byCall = file.startsWith('demo/') ? [...text.matchAll(byDemo)].map(([, table = '']) => table) : [];
  const bySource = [...text.matchAll(bySql)].map(([, inserted, updated]) => inserted ?? updated ?? '');
  return [...bySource, ...byCall, ...entities];
}

const writers = new Map<string, Set<string>>();
for (const { file, text } of sources) {
  for (const table of tablesWritten(file, text)) {
    writers.set(table, (writers.get(table) ?? new Set()).add(moduleOf(file)));
  }
}

const lines = [...writers]
  .map(([table, modules]) => `${table}: ${[...modules].sort().join(', ')}`)
  .sort()
  .map((line) => (reasons[line.split(':')[0] ?? ''] ? `${line} (${reasons[line.split(':')[0] ?? '']})` : line));

/** They make rows as the modules would. */
const visitors = new Set(['demo', 'test-mode']);

describe('The tables', () => {
  it('have the writers of the committed list', async () => {
    await expectFile(new URL('./table-writers.txt', import.meta.url), `${lines.join('\n')}\n`);
  });

  it('have one writer each, or a reason for more, besides the demo and test mode', () => {
    const shared = [...writers].filter(([, modules]) => [...modules].filter((one) => !visitors.has(one)).length > 1);
    expect(shared.map(([table]) => table).sort()).toEqual(Object.keys(reasons).sort());
  });

  it('are named in the SQL that writes them, unless a caller or a catalogue names them', () => {
    const found = sources.filter(({ text }) => dynamic.test(text)).map(({ file }) => file);
    expect(found.sort()).toEqual(Object.keys(named).sort());
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { distribute } from '../../src/database/distribution/distribute.js';
import { spreadTables } from '../../src/database/distribution/distribution.repository.js';
import { EventCalls, newEvent } from '../support/events.js';
import { insertOrganization } from '../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../support/report-imports.js';
import { Scanning } from '../support/scanning.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ template: process.env['TEST_PLAIN_TEMPLATE'], jobs: true });
});
afterAll(() => app.close());

/** Appends to a scan until told to stop, expecting success each time; returns the titles. */
async function appendUntil(events: EventCalls, scanId: string, own: string, end: AbortSignal): Promise<string[]> {
  const titles: string[] = [];
  for (let n = 0; !end.aborted; n++) {
    const batch = Array.from({ length: 1 + (n % 5) }, (_, at) => `${own} ${n}.${at}`);
    await events.appended(scanId, ...batch.map((title) => newEvent({ title })));
    titles.push(...batch);
  }
  return titles;
}

/** Imports reports until told to stop, expecting success each time; returns the number of their events. */
async function importUntil(imports: Imports, end: AbortSignal): Promise<number> {
  let written = 0;
  for (let n = 0; !end.aborted; n++) {
    // Of one batch, of three, and of six, which are written ahead of each other.
    const results = Array.from({ length: 40 + (n % 3) * 700 }, (_, at) => sarifResult(`R${n}-${at}`));
    const { events } = await imports.import(sarifLog(results));
    expect(events).toBe(results.length + 2);
    written += events;
  }
  return written;
}

/** Moves the shards of these organizations to the other server, as rebalancing does. */
async function moveShards(organizationIds: string[]): Promise<void> {
  const shards = await app.database.rows<{ id: string; from: Server; to: Server }>(
    `SELECT DISTINCT s.shardid AS id, jsonb_build_object('host', s.nodename, 'port', s.nodeport) AS "from",
            jsonb_build_object('host', n.nodename, 'port', n.nodeport) AS "to"
       FROM unnest($1::uuid[]) AS organization
       JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('event_batches', organization)
       JOIN pg_dist_node n ON n.groupid > 0 AND (n.nodename, n.nodeport) <> (s.nodename, s.nodeport)`,
    [organizationIds],
  );
  expect(shards.length).toBeGreaterThan(0);
  for (const { id, from, to } of shards) {
    const values = [id, from.host, from.port, to.host, to.port];
    await app.database.rows(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')`, values);
  }
}

interface Server {
  host: string;
  port: number;
}

describe('Tables with data, while six writers append and three import reports', () => {
  it('keep, count and stream each event once while npm run distribute distributes them and their shards move', async () => {
    const people = await Promise.all(
      [1, 2, 3].map(async () => {
        const scanning = new Scanning(app, await insertOrganization(app));
        const events = new EventCalls(app, scanning.token);
        const scanId = (await scanning.scan()).id;
        await events.appended(scanId, ...Array.from({ length: 500 }, (_, n) => newEvent({ title: `before ${n}` })));
        const imports = new Imports(app.api, scanning.token);
        return {
          id: scanning.organization.id,
          events,
          imports,
          scanId,
          cursor: (await events.arrivals('')).nextCursor,
        };
      }),
    );
    const end = new AbortController();
    const appending = people.flatMap(({ events, scanId }) =>
      ['a', 'b'].map((own) => appendUntil(events, scanId, own, end.signal)),
    );
    const importing = people.map(({ imports }) => importUntil(imports, end.signal));
    const said: string[] = [];
    const log = console.log;
    console.log = (line: string) => said.push(line);
    try {
      await distribute({ DATABASE_URL: app.database.url }, ['--shards', '8', '--dry-run']);
      await distribute({ DATABASE_URL: app.database.url }, ['--shards', '8']);
      await distribute({ DATABASE_URL: app.database.url }, ['--shards', '8']);
      await moveShards(people.map(({ id }) => id));
    } finally {
      console.log = log;
      end.abort();
    }
    const appended = await Promise.all(appending);
    const imported = await Promise.all(importing);
    expect(said.at(0)).toMatch(/^scan_events: \d+ MB would be distributed over 2 servers, in 8 shards$/);
    expect(said.at(-2)).toBe('All tables are distributed over 2 servers');
    expect(said.at(-1)).toBe('All tables are distributed already: nothing to do');
    for (const [at, { id, events, cursor }] of people.entries()) {
      const own = appended.slice(2 * at, 2 * at + 2).flat();
      const copied = imported[at] ?? 0;
      expect(copied).toBeGreaterThan(0);
      const arrived = new Map<string, string>();
      let arrivals = 0;
      for (let after = cursor, more = true; more;) {
        const page = await events.arrivals(`after=${after}&size=100`);
        for (const { id: event, title } of page.data) arrived.set(event, title);
        arrivals += page.data.length;
        ({ nextCursor: after, more } = page);
      }
      const titles = [...arrived.values()].filter((title) => /^[ab] \d/.test(title));
      expect(titles.sort()).toEqual([...own].sort());
      expect([arrived.size, arrivals]).toEqual([own.length + copied, own.length + copied]);
      const [counted] = await app.database.rows<{ count: number }>(
        'SELECT sum(count)::int AS count FROM scan_event_counts WHERE organization_id = $1',
        [id],
      );
      expect(counted?.count).toBe(500 + own.length + copied);
    }
    const spread = await app.database.rows<{ name: string }>(
      `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h'`,
    );
    expect(spread.map((table) => table.name)).toEqual(expect.arrayContaining([...spreadTables]));
  });
});

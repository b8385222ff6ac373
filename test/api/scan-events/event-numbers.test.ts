import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeArrival, decodeArrival } from '../../../src/scanning/scan-events/arrival-cursor.js';
import { EventNumbersService } from '../../../src/scanning/scan-events/event-numbers.service.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { appending } from '../../support/appending.js';
import { EventStream } from '../../support/event-stream.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type Node = Awaited<ReturnType<TestApp['anotherNode']>>;

let app: TestApp;
let other: Node;
beforeAll(async () => {
  app = await startTestApp();
  other = await app.anotherNode();
});
afterAll(() => app.close());

interface Scene {
  organizationId: string;
  token: string;
  scanId: string;
  events: EventCalls;
  append: (...titles: string[]) => Promise<unknown>;
}

async function scene(): Promise<Scene> {
  const acme = new Scanning(app, await insertOrganization(app));
  const events = new EventCalls(app, acme.token);
  const scanId = (await acme.scan()).id;
  const append = (...titles: string[]) => events.appended(scanId, ...titles.map((title) => newEvent({ title })));
  return { organizationId: acme.organization.id, token: acme.token, scanId, events, append };
}

/** Follows from a cursor to the end. */
async function follow(events: EventCalls, cursor: string, query = '') {
  const titles: string[] = [];
  for (let after = cursor; ;) {
    const { data, nextCursor, more } = await events.arrivals(`${query}&after=${after}`);
    titles.push(...data.map(({ title }) => title));
    after = nextCursor;
    if (!more) return { titles, cursor: after };
  }
}

const now = async (events: EventCalls) => (await events.arrivals('')).nextCursor;
const numbersOf = (node: Pick<Node, 'nest'>) => node.nest.get(EventNumbersService, { strict: false });
const unnumbered = async ({ organizationId }: Scene) =>
  (await app.database.rows('SELECT FROM event_batches WHERE organization_id = $1 AND number IS NULL', [organizationId]))
    .length;

/** The titles of the copies. */
const copies = (first: number, last = first) => Array.from({ length: last - first + 1 }, (_, n) => `copy ${first + n}`);

/** SQL that copies the event with the title `template` under other transaction ids than its own; `n` is the number of a copy. */
async function copied({ organizationId, scanId }: Scene, arrived: string, first: number, last = first): Promise<void> {
  await app.database.rows(
    `INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                              asset_ids, issue_ids, attachments, attachment_types, attachment_text, arrived)
     SELECT gen_random_uuid(), created_at, organization_id, scan_id, profile_id, level, stage, 'copy ' || n, '',
            asset_ids, issue_ids, attachments, attachment_types, attachment_text, ${arrived}
       FROM scan_events, generate_series($3::int, $4::int) AS n
      WHERE organization_id = $1 AND scan_id = $2 AND title = 'template'`,
    [organizationId, scanId, first, last],
  );
  // As the trigger did, when there is one.
  await app.database.rows(
    `INSERT INTO event_batches (organization_id, arrived, appended_at)
     SELECT DISTINCT organization_id, arrived, appended_at FROM scan_events WHERE organization_id = $1
     ON CONFLICT DO NOTHING`,
    [organizationId],
  );
}

describe('The order of what arrives', () => {
  it('is the same for every follower of every node, each event once, while all nodes number and eight clients write', async () => {
    const { token, scanId, events } = await scene();
    const there = new EventCalls(other, token);
    const cursor = await now(events);
    const streams = await Promise.all(
      [app.baseUrl, other.api.baseUrl].map((baseUrl) => EventStream.open(baseUrl, { token, lastId: cursor })),
    );
    const end = new AbortController();
    const asking = [events, there].map(async (calls) => {
      const titles: string[] = [];
      for (let [after, last] = [cursor, false]; !last;) {
        last = end.signal.aborted;
        const step = await follow(calls, after, 'size=7');
        titles.push(...step.titles);
        after = step.cursor;
      }
      return titles;
    });
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const calls = writer % 2 === 0 ? events : there;
      for (let n = 0; n < 25; n++) await calls.appended(scanId, newEvent({ title: `${writer}.${n}` }));
    });
    await Promise.all(writers);
    end.abort();
    const asked = await Promise.all(asking);
    const streamed = await Promise.all(streams.map((stream) => stream.has(200)));
    const [first = []] = asked;
    expect(new Set(first).size).toBe(200);
    for (const titles of [...asked, ...streamed]) expect(titles).toEqual(first);
    for (const stream of streams) stream.close();
  });

  it('is the order in which transactions end, whichever began first', async () => {
    const { scanId, events, append } = await scene();
    await append('template');
    let { cursor } = await follow(events, await now(events));
    const held: HeldTransaction[] = [];
    for (const n of [1, 2, 3]) held.push(await HeldTransaction.open(app.database, ...appending(scanId, ...copies(n))));
    const seen: string[] = [];
    for (const n of [2, 0, 1]) {
      await append(`before ${n}`);
      await held[n]?.commit();
      const step = await follow(events, cursor);
      seen.push(...[...step.titles].sort());
      cursor = step.cursor;
    }
    expect(seen).toEqual(['before 2', 'copy 3', 'before 0', 'copy 1', 'before 1', 'copy 2']);
  });

  it('keeps a long transaction of many statements together, among short ones', async () => {
    const { scanId, events, append } = await scene();
    await append('template');
    const cursor = await now(events);
    const slow = await HeldTransaction.open(app.database, ...appending(scanId, ...copies(1, 700)));
    await append('short 1');
    const early = await follow(events, cursor);
    await slow.query(...appending(scanId, ...copies(701, 1_500)));
    await append('short 2');
    const between = await follow(events, early.cursor);
    await slow.commit();
    await append('short 3');
    const late = await follow(events, between.cursor, 'size=90');
    expect([early.titles, between.titles]).toEqual([['short 1'], ['short 2']]);
    const numbers = Array.from({ length: 1_500 }, (_, n) => `copy ${n + 1}`);
    expect([...late.titles].sort()).toEqual([...numbers, 'short 3'].sort());
  });

  it('continues after transaction ids have wrapped around', async () => {
    const own = await scene();
    const { events, append } = own;
    await append('template');
    const { cursor } = await follow(events, await now(events));
    await append('before');
    const early = await follow(events, cursor);
    for (const n of [1, 2]) await copied(own, 'arrived', n);
    expect((await follow(events, early.cursor)).titles).toEqual(['copy 1', 'copy 2']);
    expect((await follow(events, cursor)).titles).toEqual(['before', 'copy 1', 'copy 2']);
  });

  it('includes what a node numbered before it ended without reading', async () => {
    const scene1 = await scene();
    const { events, append, organizationId } = scene1;
    const cursor = await now(events);
    await append('one', 'two');
    const node = await app.anotherNode();
    await numbersOf(node).number([organizationId]);
    await node.nest.close();
    expect(await unnumbered(scene1)).toBe(0);
    await append('three');
    expect((await follow(events, cursor)).titles).toEqual(['one', 'two', 'three']);
  });
});

describe('A filter that few events match', () => {
  it('is read in batches of a thousand transactions, and misses none', async () => {
    const own = await scene();
    const { events, append } = own;
    await append('template');
    const cursor = await now(events);
    await copied(own, '(n::text)::xid8', 1, 2_100);
    const first = await events.arrivals(`search=copy 2100&after=${cursor}`);
    expect([first.data, first.more]).toEqual([[], true]);
    expect((await follow(events, cursor, 'search=copy 2100')).titles).toEqual(['copy 2100']);
    expect(new Set((await follow(events, cursor, 'size=100')).titles).size).toBe(2_100);
  });

  it('is followed in batches of as many transactions', async () => {
    const own = await scene();
    const { token, append } = own;
    await append('template');
    const stream = await (await EventStream.open(app.baseUrl, { token, query: 'search=copy 2100' })).live();
    await copied(own, '(n::text)::xid8', 1, 2_100);
    expect(await stream.has(1)).toEqual(['copy 2100']);
    stream.close();
  });
});

describe('A cursor', () => {
  it('later than everything is refused, with a reason', async () => {
    const { events } = await scene();
    const position = decodeArrival(await now(events));
    const day = 86_400_000_000;
    for (const wrong of [{ epoch: 'ffffffffffffffff' }, { number: Date.now() * 1_000 + day }]) {
      const after = encodeArrival({ ...position, ...wrong });
      await expect(events.arrivals(`after=${after}`)).rejects.toThrow(/database was restored.*begin without a cursor/);
    }
  });
});

describe('Housekeeping', () => {
  it('numbers events that nobody reads', async () => {
    const one = await scene();
    const two = await scene();
    await numbersOf(app).numberAll();
    for (const { append } of [one, two, one]) await append('unread');
    expect([await unnumbered(one), await unnumbered(two)]).toEqual([2, 1]);
    await numbersOf(app).numberAll();
    expect([await unnumbered(one), await unnumbered(two)]).toEqual([0, 0]);
  });

  it('drops the numbers of events older than the oldest kept month', async () => {
    const { organizationId, events, append } = await scene();
    await append('one');
    const cursor = await now(events);
    await append('two');
    // Besides that of the scan.
    const batches = () =>
      app.database.rows('SELECT FROM event_batches WHERE organization_id = $1 AND number IS NOT NULL', [
        organizationId,
      ]);
    await numbersOf(app).numberAll();
    await app.nest.get(EventPartitionsService).dropExpired();
    expect(await batches()).toHaveLength(3);
    await numbersOf(app).forgetBefore(new Date(Date.now() + 60_000));
    await until(async () => (await batches()).length === 0, 'no batch');
    await append('three');
    expect((await follow(events, cursor)).titles).toEqual(['three']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appending } from '../../support/appending.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/events/arrivals';
let app: TestApp;
let acme: Scanning;
let events: EventCalls;
let scanId: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  events = new EventCalls(app, acme.token);
  scanId = (await acme.scan()).id;
});
afterAll(() => app.close());

const back = new Date(Date.now() - 90 * 86_400_000).toISOString();

/** Follows from a cursor to the end; returns the titles and the new cursor. */
async function follow(cursor: string, query = ''): Promise<{ titles: string[]; cursor: string }> {
  const titles: string[] = [];
  for (let after = cursor; ;) {
    const { data, nextCursor, more } = await events.arrivals(`${query}&after=${after}`);
    titles.push(...data.map(({ title }) => title));
    after = nextCursor;
    if (!more) return { titles, cursor: after };
  }
}

const start = async () => (await events.arrivals('')).nextCursor;

describe('GET /api/v1/events/arrivals', () => {
  it('begins empty, and then returns each new event once', async () => {
    await events.appended(scanId, newEvent({ title: 'before' }));
    const first = await events.arrivals('');
    expect(first).toEqual({ data: [], nextCursor: expect.any(String), more: false });
    expect((await follow(first.nextCursor)).titles).toEqual([]);
    await events.appended(scanId, newEvent({ title: 'one' }), newEvent({ title: 'two' }));
    await events.appended(scanId, newEvent({ title: 'back-dated', createdAt: back }));
    const { titles, cursor } = await follow(first.nextCursor);
    expect(titles).toEqual(['one', 'two', 'back-dated']);
    expect((await follow(cursor)).titles).toEqual([]);
  });

  it('shows events as lists do', async () => {
    const cursor = await start();
    await events.appended(scanId, newEvent({ title: 'shown' }));
    const { data } = await events.arrivals(`after=${cursor}`);
    expect(data).toEqual((await events.list('search=shown')).data);
  });

  it('narrows by filters', async () => {
    const cursor = await start();
    const levels = ['ERROR', 'INFO', 'DEBUG', 'ERROR'];
    await events.appended(scanId, ...levels.map((level, at) => newEvent({ level, title: `${level} ${at}` })));
    expect((await follow(cursor, 'levels=ERROR')).titles).toEqual(['ERROR 0', 'ERROR 3']);
    expect((await follow(cursor, 'search=debug')).titles).toEqual(['DEBUG 2']);
    expect((await follow(cursor, `scanIds=${scanId}&levels=INFO&hasAttachments=false`)).titles).toEqual(['INFO 1']);
  });

  it('returns many events in several responses while more arrive', async () => {
    const cursor = await start();
    await events.appended(scanId, ...Array.from({ length: 25 }, (_, at) => newEvent({ title: `many ${at}` })));
    const first = await events.arrivals(`size=10&after=${cursor}`);
    expect([first.data.length, first.more]).toEqual([10, true]);
    await events.appended(scanId, newEvent({ title: 'in between', createdAt: back }));
    const rest = await follow(first.nextCursor, 'size=10');
    const titles = [...first.data.map(({ title }) => title), ...rest.titles];
    expect(titles).toEqual([...Array.from({ length: 25 }, (_, at) => `many ${at}`), 'in between']);
  });

  it('misses no event of a transaction that began before others and ended after them', async () => {
    const cursor = await start();
    await events.appended(scanId, newEvent({ title: 'template' }));
    const slow = await HeldTransaction.open(app.database, ...appending(scanId, 'slow'));
    await events.appended(scanId, newEvent({ title: 'quick' }));
    const early = await follow(cursor);
    expect(early.titles).toEqual(['template', 'quick']);
    await slow.commit();
    expect((await follow(early.cursor)).titles).toEqual(['slow']);
  });

  it('returns each event once during concurrent appends', async () => {
    let cursor = await start();
    const seen: string[] = [];
    const written: string[] = [];
    const writing = new AbortController();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let round = 0; round < 12; round++) {
        const batch = Array.from({ length: 1 + ((round * 7) % 40) }, (__, at) => `w${writer}.${round}.${at}`);
        await events.appended(
          scanId,
          ...batch.map((title, at) => newEvent({ title, ...(at % 5 === 0 && { createdAt: back }) })),
        );
        written.push(...batch);
      }
    });
    const follower = async () => {
      while (!writing.signal.aborted) {
        const step = await follow(cursor, 'size=20');
        seen.push(...step.titles);
        cursor = step.cursor;
      }
    };
    const following = follower();
    await Promise.all(writers);
    writing.abort();
    await following;
    seen.push(...(await follow(cursor)).titles);
    expect(seen.length).toBe(written.length);
    expect(new Set(seen)).toEqual(new Set(written));
  });

  it.each([
    'x',
    '',
    'MTA6NQ',
    btoa('10:5:'),
    btoa('1:9:3,2'),
    btoa('1:9:9'),
    btoa('0:9:'),
    btoa('1:9:_1:9:_x_y'),
    btoa('1:99999999999999999999:'),
  ])('responds with 422 for the cursor %j', async (cursor) => {
    expect((await app.api.get(`${path}?after=${cursor}`, { token: acme.token })).status).toBe(422);
  });
});

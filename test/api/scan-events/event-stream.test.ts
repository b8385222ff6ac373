import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream, type StreamChoices } from '../../support/event-stream.js';
import { appending } from '../../support/appending.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let other: Awaited<ReturnType<TestApp['anotherNode']>>;
let acme: Scanning;
let events: EventCalls;
let scanId: string;
const open: EventStream[] = [];
beforeAll(async () => {
  app = await startTestApp({ env: { EVENT_FOLLOWERS: '6', QUOTAS: 'followers=4' } });
  other = await app.anotherNode();
  acme = new Scanning(app, await insertOrganization(app));
  events = new EventCalls(app, acme.token);
  scanId = (await acme.scan()).id;
});
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await until(async () => (await followers()) === 0, 'all streams to be closed');
});
afterAll(() => app.close());

const back = new Date(Date.now() - 90 * 86_400_000).toISOString();

async function followers(): Promise<number> {
  const text = await (await fetch(`${app.baseUrl}/metrics`)).text();
  return Number(/^event_followers (\d+)$/m.exec(text)?.[1]);
}

async function follow(choices: StreamChoices = {}, baseUrl = app.baseUrl): Promise<EventStream> {
  const stream = await EventStream.open(baseUrl, { token: acme.token, ...choices });
  open.push(stream);
  return stream.live();
}

const titled = (...titles: string[]) => titles.map((title) => newEvent({ title }));

describe('GET /api/v1/events/stream', () => {
  it('sends each event once as lists show it, backdated ones included, unbuffered and uncompressed', async () => {
    await events.appended(scanId, ...titled('before'));
    const stream = await follow();
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers.get('content-encoding')).toBeNull();
    await events.appended(scanId, ...titled('one', 'two'));
    await events.appended(scanId, newEvent({ title: 'back-dated', createdAt: back }));
    expect(await stream.has(3)).toEqual(['one', 'two', 'back-dated']);
    const listed = (await events.list('search=back-dated')).data;
    expect([stream.messages[2]?.data]).toEqual(listed);
    expect(stream.retryMs).toBeGreaterThan(0);
  });

  it('continues after any id, by Last-Event-ID or `after`, and after a cursor of arrivals', async () => {
    const { nextCursor } = await events.arrivals('');
    const stream = await follow();
    const titles = Array.from({ length: 130 }, (_, n) => `event ${n}`);
    await events.appended(scanId, ...titled(...titles.slice(0, 120)));
    await events.appended(scanId, ...titled(...titles.slice(120)));
    await stream.has(130);
    for (const at of [0, 60, 119, 121]) {
      const next = titles.slice(at + 1);
      const again = await follow({ lastId: stream.messages[at]?.id });
      expect(await again.has(next.length)).toEqual(next);
      again.close();
    }
    const { data } = await events.arrivals(`size=3&after=${stream.messages[60]?.id}`);
    expect(data.map(({ title }) => title)).toEqual(titles.slice(61, 64));
    const after = await follow({ query: `after=${nextCursor}` });
    expect(await after.has(130)).toEqual(titles);
    const newer = await follow({ query: `after=${nextCursor}`, lastId: stream.messages[128]?.id });
    expect(await newer.has(1)).toEqual(titles.slice(129));
  });

  it('narrows by filters', async () => {
    const stream = await follow({ query: 'levels=ERROR,WARNING&search=needle' });
    await events.appended(
      scanId,
      newEvent({ title: 'no', level: 'ERROR' }),
      newEvent({ title: 'a Needle', level: 'ERROR' }),
      newEvent({ title: 'needle', level: 'INFO' }),
      newEvent({ title: 'last', description: 'a needle', level: 'WARNING' }),
    );
    expect(await stream.has(2)).toEqual(['a Needle', 'last']);
  });

  it('misses no event of a transaction that ended after later ones, and shows nothing of other organizations', async () => {
    const stranger = new Scanning(app, await insertOrganization(app));
    await events.appended(scanId, ...titled('template'));
    const stream = await follow();
    const slow = await HeldTransaction.open(app.database, ...appending(scanId, 'slow'));
    await new EventCalls(app, stranger.token).appended((await stranger.scan()).id, ...titled('of others'));
    await events.appended(scanId, ...titled('quick'));
    await stream.has(1);
    const between = await follow({ lastId: stream.lastId });
    await slow.commit();
    expect(await stream.has(2)).toEqual(['quick', 'slow']);
    expect(await between.has(1)).toEqual(['slow']);
    const again = await follow({ lastId: stream.messages[0]?.id });
    expect(await again.has(1)).toEqual(['slow']);
  });

  it('sends what other nodes append, and misses and repeats nothing across reconnects to either node', async () => {
    let stream = await follow({}, other.api.baseUrl);
    const seen: string[] = [];
    const written: string[] = [];
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      const calls = new EventCalls(writer === 0 ? other : app, acme.token);
      for (let round = 0; round < 10; round++) {
        const batch = Array.from({ length: 1 + ((round * 7) % 40) }, (__, at) => `w${writer}.${round}.${at}`);
        await calls.appended(scanId, ...titled(...batch));
        written.push(...batch);
      }
    });
    const end = new AbortController();
    const writing = Promise.all(writers).then(() => end.abort());
    for (let round = 0; !end.signal.aborted; round++) {
      await until(() => stream.titles.length > 0 || end.signal.aborted, 'an event');
      stream.close();
      await stream.end();
      seen.push(...stream.titles);
      const lastId = stream.lastId;
      stream = await follow({ lastId }, round % 2 === 0 ? app.baseUrl : other.api.baseUrl);
    }
    await writing;
    await stream.has(written.length - seen.length);
    seen.push(...stream.titles);
    expect([...seen].sort()).toEqual([...written].sort());
  });

  it.each([
    ['an id of no message', { lastId: 'nonsense' }, ['header', 'last-event-id']],
    ['an id that is too long', { lastId: 'x'.repeat(9_000) }, ['header', 'last-event-id']],
    ['a broken cursor', { query: 'after=nonsense' }, ['query', 'after']],
    ['a short search', { query: 'search=ab' }, ['query', 'search']],
    ['an unknown filter', { query: 'level=ERROR' }, ['query', 'level']],
  ])('responds with 422 to %s', async (_, choices, loc) => {
    const stream = await follow(choices);
    expect([stream.status, stream.refusal.detail?.[0]?.loc]).toEqual([422, loc]);
  });

  it('refuses a cursor from before a restore of the database', async () => {
    const ahead = Buffer.from('9000000000000000000:9000000000000000000:').toString('base64url');
    expect((await follow({ lastId: ahead })).status).toBe(422);
  });

  it('begins now for an empty id, and responds to HEAD without a stream', async () => {
    const stream = await follow({ lastId: '' });
    expect([stream.status, stream.titles]).toEqual([200, []]);
    const { token } = acme;
    const head = await app.api.send('HEAD', '/api/v1/events/stream', { token });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('limits the followers of an organization and of a node by the settings', async () => {
    const streams = await Promise.all(Array.from({ length: 4 }, () => follow()));
    const fifth = await follow();
    expect([fifth.status, fifth.refusal.code]).toEqual([429, 'rate_exceeded']);
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0);
    const stranger = new Scanning(app, await insertOrganization(app));
    await Promise.all([follow({ token: stranger.token }), follow({ token: stranger.token })]);
    const seventh = await follow({ token: stranger.token });
    expect([seventh.status, seventh.refusal.code]).toEqual([503, 'busy']);
    expect(await followers()).toBe(6);
    streams[0]?.close();
    await until(async () => (await followers()) === 5, 'the stream to be closed');
    expect((await follow()).status).toBe(200);
  });
});

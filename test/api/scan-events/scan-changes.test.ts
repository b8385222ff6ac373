import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ScanEventSummary } from '../../../src/scanning/scan-events/scan-events.dto.js';
import { changedOfMany, changedOfOne } from '../../../src/scanning/scan-events/scan-changes.repository.js';
import type { ResourceScan } from '../../../src/scanning/scans/scans.dto.js';
import { EventStream, type StreamChoices } from '../../support/event-stream.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { scansOf } from '../../support/explain.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { Scanning } from '../../support/scanning.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface ArrivalsBody {
  data: ScanEventSummary[];
  scans?: ResourceScan[];
  nextCursor: string;
}

let app: TestApp;
let other: Awaited<ReturnType<TestApp['anotherNode']>>;
let acme: Scanning;
let events: EventCalls;
const open: EventStream[] = [];
beforeAll(async () => {
  app = await startTestApp({ env: { EVENT_FOLLOWERS: '300', QUOTAS: 'followers=300' } });
  other = await app.anotherNode();
  acme = new Scanning(app, await insertOrganization(app));
  events = new EventCalls(app, acme.token);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => app.close());

async function follow(query: string, choices: StreamChoices = {}, node: { baseUrl: string } = app) {
  const stream = await EventStream.open(node.baseUrl, { token: acme.token, query, ...choices });
  open.push(stream);
  return stream.live();
}

async function move(id: string, json: object, node: Pick<TestApp, 'api'> = app): Promise<ResourceScan> {
  const { status, body } = await node.api.send<ResourceScan>('PATCH', `/api/v1/scans/${id}`, {
    token: acme.token,
    json,
  });
  expect(status).toBe(200);
  return body;
}

const arrivals = async (query: string) =>
  (await app.api.get<ArrivalsBody>(`/api/v1/events/arrivals?${query}`, { token: acme.token })).body;

const hasStates = (stream: EventStream, ...states: string[]) =>
  until(() => states.every((one) => stream.scans.some(({ status }) => status === one)), states.join());

describe('Changes of scans in GET /api/v1/events/stream', () => {
  it('come as `scan` on request, as lists show them, and to nobody else', async () => {
    const [both, scans, plain] = [await follow('follow=EVENTS,SCANS'), await follow('follow=SCANS'), await follow('')];
    const scan = await acme.scan();
    await hasStates(scans, 'STARTING');
    const running = await move(scan.id, { status: 'RUNNING', progressRatio: 0.25 });
    await hasStates(scans, 'RUNNING');
    await events.appended(scan.id, newEvent({ title: 'found' }));
    await move(scan.id, { status: 'FINISHED' }, other);
    await Promise.all([hasStates(scans, 'FINISHED'), hasStates(both, 'FINISHED'), plain.has(1)]);
    expect(scans.scans.map(({ status }) => status)).toEqual(['STARTING', 'RUNNING', 'FINISHED']);
    expect(scans.scans[1]).toEqual(JSON.parse(JSON.stringify(running)));
    expect([both.titles, scans.titles, plain.titles]).toEqual([['found'], [], ['found']]);
    expect(plain.scans).toEqual([]);
  });

  it('are filtered by scans and profiles, and visible to their organization alone', async () => {
    const stranger = new Scanning(app, await insertOrganization(app));
    const [one, two] = [await acme.scan(), await acme.scan()];
    const ofOne = await follow(`follow=SCANS&scanIds=${one.id}`);
    const ofProfile = await follow(`follow=SCANS&profileIds=${two.applicationId}`);
    const all = await follow('follow=SCANS');
    await stranger.scan();
    for (const { id } of [one, two]) await move(id, { status: 'RUNNING' });
    await until(() => all.scans.length === 2, 'both changes');
    await Promise.all([hasStates(ofOne, 'RUNNING'), hasStates(ofProfile, 'RUNNING')]);
    expect([ofOne, ofProfile].map(({ scans }) => scans.map(({ id }) => id))).toEqual([[one.id], [two.id]]);
  });

  it('are not missed when a change began before others and was committed after them', async () => {
    const [slow, quick] = [await acme.scan(), await acme.scan()];
    const stream = await follow('follow=SCANS');
    const held = await HeldTransaction.open(app.database, "UPDATE scans SET status = 'FAILED' WHERE id = $1", [
      slow.id,
    ]);
    await move(quick.id, { status: 'RUNNING' });
    await hasStates(stream, 'RUNNING');
    await until(() => stream.lastId !== '', 'an id');
    const between = await follow('follow=SCANS', { lastId: stream.lastId }, other.api);
    await held.commit();
    await Promise.all([hasStates(stream, 'FAILED'), hasStates(between, 'FAILED')]);
    expect(between.scans.map(({ id }) => id)).toEqual([slow.id]);
  });

  it('lead to the final state of every scan, on whichever node it changes, across reconnects to either node', async () => {
    const scans = await Promise.all(Array.from({ length: 6 }, () => acme.scan({ status: 'RUNNING' })));
    const known = new Map<string, ResourceScan>();
    let isOver = false;
    const writers = scans.map(async ({ id }, at) => {
      for (let step = 1; step < 12; step++) {
        await move(id, { progressRatio: step / 12 }, (at + step) % 2 === 0 ? app : other);
        if (step % 4 === 0) await events.appended(id, newEvent({ title: `step ${step}` }));
      }
      await move(id, { status: 'FINISHED' }, other);
    });
    const written = Promise.all(writers).finally(() => (isOver = true));
    let lastId: string | undefined = (await follow('follow=SCANS')).lastId;
    const isKnown = () => isOver && scans.every(({ id }) => known.get(id)?.status === 'FINISHED');
    for (let round = 0; !isKnown(); round++) {
      const stream = await follow('follow=EVENTS,SCANS', { lastId }, round % 2 === 0 ? other.api : app);
      const has = round % 3;
      await until(() => stream.messages.length > has || isOver, 'changes');
      if (isOver) await until(() => stream.scans.some(({ status }) => status === 'FINISHED') || isKnown(), 'the end');
      stream.close();
      for (const scan of stream.scans) known.set(scan.id, scan);
      lastId = stream.lastId;
    }
    await written;
    expect([...known.values()].filter(({ progressRatio }) => progressRatio !== 1)).toEqual([]);
  });

  it('cost one more statement a tick, whatever the number of followers', async () => {
    const scan = await acme.scan({ status: 'RUNNING' });
    const streams = await Promise.all(Array.from({ length: 200 }, () => follow('follow=SCANS')));
    const statements = await statementsOf(async () => {
      await move(scan.id, { progressRatio: 0.5 });
      await until(() => streams.every(({ scans }) => scans.length > 0), 'the change at every follower');
    });
    const ofScans = statements.filter((name) => name.startsWith('scan-changes.'));
    const beats = statements.filter((name) => /^scan-events.arrivals-of-(many|one)$/.test(name));
    expect(ofScans.length).toBeGreaterThan(0);
    expect(ofScans.length).toBeLessThanOrEqual(beats.length);
    expect(statements.length).toBeLessThan(60);
  });

  it('are read from the indexes of batches and of changed scans', async () => {
    const { applicationId } = await acme.scan();
    await app.database.rows(
      `INSERT INTO scans (id, organization_id, application_id, kind, status)
       SELECT gen_random_uuid(), $1, $2, 'FRONTEND_DAST', 'FINISHED' FROM generate_series(1, 20000)`,
      [acme.organization.id, applicationId],
    );
    // A table of one page is read as a whole: on a server of Citus, earlier batches fill no more.
    await app.database.rows(
      `INSERT INTO event_batches (organization_id, arrived, appended_at, number)
       SELECT $1, n::text::xid8, '2000-01-01 00:00Z', n FROM generate_series(1, 2000) AS n`,
      [acme.organization.id],
    );
    await app.database.rows('ANALYZE scans, event_batches');
    const asked = { id: acme.organization.id, from: 0, to: Date.now() * 1_000 };
    const plans = [
      await scansOf(app.database, changedOfOne.text, [asked.id, asked.to - 1_000_000, asked.to]),
      await scansOf(app.database, changedOfMany.text, [JSON.stringify([{ ...asked, from: asked.to - 1_000_000 }])]),
    ];
    for (const plan of plans) expect(plan.filter((scan) => /Seq Scan of (scans|event_batches)/.test(scan))).toEqual([]);
    expect(plans.flat().join()).toContain('scans_changed_idx');
  });
});

describe('Changes of scans in GET /api/v1/events/arrivals', () => {
  it('come with the cursor of events, each once, and only on request', async () => {
    const first = await arrivals('follow=SCANS');
    expect(first).toMatchObject({ data: [], scans: [] });
    const scan = await acme.scan({ status: 'RUNNING' });
    await events.appended(scan.id, newEvent({ title: 'one' }));
    await move(scan.id, { progressRatio: 0.75 });
    const next = await arrivals(`follow=SCANS&after=${first.nextCursor}`);
    expect(next.data).toEqual([]);
    expect(next.scans?.map(({ id, progressRatio }) => [id, progressRatio])).toEqual([[scan.id, 0.75]]);
    expect((await arrivals(`follow=SCANS&after=${next.nextCursor}`)).scans).toEqual([]);
    const both = await arrivals(`follow=EVENTS,SCANS&after=${first.nextCursor}`);
    expect([both.data.map(({ title }) => title), both.scans?.length]).toEqual([['one'], 1]);
    expect(await arrivals(`after=${first.nextCursor}`)).not.toHaveProperty('scans');
  });

  it('wait for the events that arrived with them, however many pages those take', async () => {
    const { nextCursor } = await arrivals('follow=EVENTS,SCANS');
    const scan = await acme.scan({ status: 'RUNNING' });
    await events.appended(scan.id, ...Array.from({ length: 7 }, (_, n) => newEvent({ title: `${n}` })));
    await move(scan.id, { progressRatio: 0.5 });
    const seen: string[] = [];
    for (let after = nextCursor, page = 0; page < 5; page++) {
      const { data, scans = [], nextCursor: next } = await arrivals(`follow=EVENTS,SCANS&size=3&after=${after}`);
      seen.push(...data.map(({ title }) => title), ...scans.map(({ progressRatio }) => `scan ${progressRatio}`));
      after = next;
    }
    expect(seen).toEqual(['0', '1', '2', '3', '4', '5', '6', 'scan 0.5']);
  });
});

describe('Changes of very many scans in GET /api/v1/events/arrivals', () => {
  interface Page extends ArrivalsBody {
    more: boolean;
  }

  async function pagesAfter(cursor: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let after = cursor; ;) {
      const page = (await arrivals(`follow=SCANS&after=${after}`)) as Page;
      pages.push((page.scans ?? []).map(({ id }) => id));
      if (!page.more) return pages;
      expect(page.nextCursor).not.toBe(after);
      after = page.nextCursor;
    }
  }

  it('come in pages of a thousand', async () => {
    const { nextCursor } = await arrivals('follow=SCANS');
    const { id: applicationId } = await acme.profile();
    const things = new ScanningRows(app, acme.organization.id);
    const made: string[] = [];
    for (let n = 0; n < 41; n++) {
      made.push(...(await Promise.all(Array.from({ length: 25 }, () => things.scan(applicationId)))));
    }
    const pages = await pagesAfter(nextCursor);
    expect(pages.map(({ length }) => length)).toEqual([1_000, 25]);
    expect(pages.flat().toSorted()).toEqual(made.toSorted());
  });

  it('come together where one transaction made them', async () => {
    const { nextCursor } = await arrivals('follow=SCANS');
    await app.database.rows(`UPDATE scans SET progress_ratio = 0.75 WHERE organization_id = $1`, [
      acme.organization.id,
    ]);
    const [first = [], ...rest] = await pagesAfter(nextCursor);
    expect(first.length).toBeGreaterThan(1_000);
    expect(rest.flat()).toEqual([]);
  });
});

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { EventFilters } from '../../../src/scanning/scan-events/event-filters.js';
import { EventStreamRepository } from '../../../src/scanning/scan-events/event-stream.repository.js';
import { arrivalsOfMany, arrivalsOfOne } from '../../../src/scanning/scan-events/event-stream.statements.js';
import { EventNumbersService } from '../../../src/scanning/scan-events/event-numbers.service.js';
import { ScanEventsService } from '../../../src/scanning/scan-events/scan-events.service.js';
import { EventStream } from '../../support/event-stream.js';
import { attachments, EventCalls, newEvent } from '../../support/events.js';
import { scansOf } from '../../support/explain.js';
import { insertOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { Scanning } from '../../support/scanning.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const many = 1_000;

let app: TestApp;
beforeAll(async () => {
  const most = String(many);
  const env = { EVENT_FOLLOWERS: most, QUOTAS: `followers=${most}` };
  app = await startTestApp({ env });
});
afterAll(() => app.close());

async function scene() {
  const acme = new Scanning(app, await insertOrganization(app));
  const events = new EventCalls(app, acme.token);
  const scanId = (await acme.scan()).id;
  const follow = async (token: string, query = '') => (await EventStream.open(app.baseUrl, { token, query })).live();
  return { acme, events, scanId, follow };
}

describe('A thousand followers', () => {
  it('cost one statement a tick, whatever each of them filters by', async () => {
    const { acme, events, scanId, follow } = await scene();
    const streams: EventStream[] = [];
    const asked = (n: number) => `search=title ${n % 100}.`;
    for (let n = 0; n < many; n += 50) {
      const opened = Array.from({ length: 50 }, (_, at) => follow(acme.organization.admin.token, asked(n + at)));
      streams.push(...(await Promise.all(opened)));
    }
    expect(streams.filter(({ status }) => status !== 200)).toEqual([]);
    const titles = Array.from({ length: 100 }, (_, n) => `title ${n}.`);
    const statements = await statementsOf(async () => {
      await events.appended(scanId, ...titles.map((title) => newEvent({ title })));
      await until(() => streams.every((stream) => stream.titles.length > 0), 'the event of every follower');
    });
    expect(streams.map((stream) => stream.titles)).toEqual(streams.map((_, n) => [`title ${n % 100}.`]));
    const beats = statements.filter((name) => /^scan-events.arrivals-of-(many|one)$/.test(name)).length;
    const checks = statements.filter((name) => /account-states|callers-in-force/.test(name)).length;
    expect(beats).toBeGreaterThan(0);
    // The rest belongs to the append: a thousand followers send statements with these names alone.
    expect(statements.length - beats - checks).toBeLessThan(20);
    const beatsOf = statements.length;
    expect(beatsOf).toBeLessThan(many / 2);
    for (const stream of streams) stream.close();
  }, 240_000);
});

describe('What a stream sends', () => {
  it('is what lists return, for any filters', async () => {
    const { acme, events, scanId } = await scene();
    const { id: organizationId } = acme.organization;
    const numbers = app.nest.get(EventNumbersService, { strict: false });
    const position = await numbers.now(organizationId);
    const asset = (await acme.asset()).id;
    const scans = [scanId, (await acme.scan()).id];
    const levels = ['ERROR', 'WARNING', 'INFO', 'DEBUG'];
    const stages = ['EXECUTION', 'AGENT_ACTION'];
    const shown = [[], [attachments.SNIPPET], [attachments.EXCHANGE, attachments.SCREENSHOT], [attachments.SCREENSHOT]];
    for (const scan of scans) {
      const made = Array.from({ length: 40 }, (_, n) =>
        newEvent({
          title: n % 3 === 0 ? 'A Needle' : 'hay',
          description: n % 7 === 0 ? '100%_needle' : '',
          level: levels[n % 4],
          stage: stages[n % 2],
          attachments: shown[(n >> 1) % 4],
          ...(n % 5 === 0 ? { assetIds: [asset] } : {}),
        }),
      );
      await events.appended(scan, ...made);
    }
    const ids = (values: string[]) => fc.subarray(values, { minLength: 1 });
    const filters = fc.record(
      {
        search: fc.constantFrom('%needle%', '%hay%', '%100\\%\\_%', '%INSERT%'),
        scanIds: ids(scans),
        assetIds: ids([asset]),
        profileIds: ids([...scans]),
        issueIds: ids([...scans]),
        stages: ids(stages),
        levels: ids(levels),
        hasAttachments: fc.boolean(),
        attachments: ids(['EXCHANGE', 'SNIPPET', 'SCREENSHOT']),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<EventFilters>;
    const service = app.nest.get(ScanEventsService, { strict: false });
    const streams = app.nest.get(EventStreamRepository, { strict: false });
    await numbers.number([organizationId]);
    const holds = async (given: EventFilters[]) => {
      const asked = given.map((one, filter) => ({ filter, organizationId, filters: one }));
      const [{ rows } = { rows: [] }] = await streams.arrived([{ id: organizationId, position }], asked);
      for (const [number, one] of given.entries()) {
        const { rows: listed } = await service.arrivedAfter(organizationId, position, 100, {
          filters: one,
          scans: null,
        });
        const own = rows.filter(({ matches }) => matches.includes(number));
        expect(own.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(filters, { minLength: 1, maxLength: 5 }), holds), { numRuns: 25 });
  });

  it('is read only from the index of arrivals', async () => {
    const { acme, events, scanId } = await scene();
    await events.appended(scanId, newEvent());
    await app.database.rows(
      `INSERT INTO scan_events SELECT gen_random_uuid(), created_at, organization_id, scan_id, profile_id, level, stage,
              title, description, asset_ids, issue_ids, attachments, attachment_types, attachment_text
         FROM scan_events, generate_series(1, 20000) WHERE scan_id = $1`,
      [scanId],
    );
    await app.database.rows('VACUUM ANALYZE scan_events');
    const { id } = acme.organization;
    const { number, id: lastId } = await app.nest.get(EventNumbersService, { strict: false }).now(id);
    await events.appended(scanId, newEvent());
    await app.nest.get(EventNumbersService, { strict: false }).number([id]);
    const filters = JSON.stringify([{ filter: 0, organizationId: id, levels: ['ERROR'] }]);
    const ofMany = () =>
      scansOf(app.database, arrivalsOfMany.text, [filters, JSON.stringify([{ id, number, lastId }])]);
    const ofOne = await scansOf(app.database, arrivalsOfOne.text, [filters, id, number, lastId]);
    // Spread over servers, organizations are queried one by one.
    const all = process.env['TEST_CITUS_URL'] ? ofOne : [...ofOne, ...(await ofMany())];
    const scans = all.filter((scan) => scan.includes('scan_events'));
    expect(scans.length).toBeGreaterThan(0);
    expect(
      scans.filter((scan) => !/^Index (Only )?Scan of scan_events_\w*_organization_id_arrived_id_idx$/.test(scan)),
    ).toEqual([]);
  });
});

describe('A stream ends', () => {
  it('when the token expires or is revoked, the member removed, or the key revoked', async () => {
    const { acme, follow } = await scene();
    const { organization } = acme;
    const { admin, member, viewer } = organization;
    const asAdmin = (method: string, path: string, json?: object) =>
      app.api.send<{ id: string; key: string }>(method, `/api/v1/organizations/${organization.id}/${path}`, {
        token: admin.token,
        json,
      });
    const made = await asAdmin('POST', 'api-keys', { name: 'follower', role: 'viewer' });
    const byKey = await EventStream.open(app.baseUrl, { headers: { 'x-api-key': made.body.key } });
    const [ofAdmin, ofMember, ofViewer] = [
      await follow(admin.token),
      await follow(member.token),
      await follow(viewer.token),
    ];
    await byKey.live();

    expect((await asAdmin('DELETE', `members/${member.userId}`)).status).toBe(204);
    expect(await ofMember.end()).toBe('access_ended');
    expect((await asAdmin('DELETE', `api-keys/${made.body.id}`)).status).toBe(204);
    expect(await byKey.end()).toBe('access_ended');
    await app.database.rows('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [viewer.userId]);
    expect(await ofViewer.end()).toBe('access_ended');
    expect([ofAdmin.hasEnded, ofAdmin.retryMs]).toEqual([false, 2_000]);
    const later = Date.now() + 7_200_000 - performance.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later + performance.now());
    expect(await ofAdmin.end()).toBe('access_ended');
    clock.mockRestore();
  });

  it('for a reader that does not read, with an id to resume from', async () => {
    const { acme, events, scanId, follow } = await scene();
    const { hostname, port } = new URL(app.baseUrl);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    const head = `Host: x\r\nAuthorization: Bearer ${acme.token}\r\n\r\n`;
    socket.write(`GET /api/v1/events/stream HTTP/1.1\r\n${head}`);
    await until(() => /^id: /m.test(text), 'the first id');
    socket.pause();
    const quick = await follow(acme.token);
    const large = { type: 'SNIPPET', snippet: { content: 'x'.repeat(450_000) } };
    const isClosed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    for (let n = 0; n < 80; n++) await events.appended(scanId, newEvent({ title: `large ${n}`, attachments: [large] }));
    await quick.has(80);
    const metrics = async () => (await fetch(`${app.baseUrl}/metrics`)).text();
    await until(async () => /^event_followers 1$/m.test(await metrics()), 'the slow reader to be cut off');
    socket.resume();
    await isClosed;
    const lastId = text.match(/(?<=^id: )\S+(?=\r?\ndata: \{[^\n]*\}\n\n)/gm)?.at(-1);
    const missed = await EventStream.open(app.baseUrl, { token: acme.token, lastId });
    await until(() => missed.titles.at(-1) === 'large 79', 'the last event');
    const first = Number(missed.titles[0]?.split(' ')[1]);
    expect(missed.titles).toEqual(Array.from({ length: 80 - first }, (_, n) => `large ${first + n}`));
    expect(quick.reason).toBeUndefined();
    missed.close();
    quick.close();
  });

  it('when the node stops, with a hint when to reconnect', async () => {
    const { acme } = await scene();
    const node = await app.anotherNode();
    const stream = await (await EventStream.open(node.api.baseUrl, { token: acme.token })).live();
    await node.nest.close();
    expect([await stream.end(), stream.retryMs]).toEqual(['stopping', 1_000]);
  });
});

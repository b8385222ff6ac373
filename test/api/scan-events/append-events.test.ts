import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/common/crypto/uuid-v7.js';
import { attachments, EventCalls, idAt, newEvent } from '../../support/events.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const minute = 60_000;
const day = 1_440 * minute;
let shop: TestApp;
let acme: Scanning;
let other: Scanning;
let events: EventCalls;
beforeAll(async () => {
  shop = await startTestApp();
  acme = new Scanning(shop, await insertOrganization(shop));
  other = new Scanning(shop, await insertOrganization(shop));
  events = new EventCalls(shop, acme.token);
});
afterAll(() => shop.close());

interface Refusal {
  detail: { loc: (string | number)[]; type: string }[];
}

const newScan = async () => (await acme.scan()).id;
const lines = (...all: unknown[]) => all.map((one) => JSON.stringify(one)).join('\n');
const titled = (...titles: string[]) => titles.map((title) => newEvent({ title }));
const ago = (ms: number) => new Date(Date.now() - ms);

describe('POST /api/v1/scans/{id}/events', () => {
  it.each([
    ['a JSON array', 'application/json', (all: object[]) => JSON.stringify(all)],
    [
      'a JSON array, spaced',
      'application/json; charset=utf-8',
      (all: object[]) => `\ufeff ${JSON.stringify(all, null, 2)}\n`,
    ],
    ['lines', 'application/x-ndjson', (all: object[]) => lines(...all)],
    [
      'lines with CR LF, blank ones and an end',
      'application/x-ndjson',
      (all: object[]) => `${all.map((one) => JSON.stringify(one)).join('\r\n\r\n')}\r\n`,
    ],
  ])('takes %s and keeps its order', async (_, type, write) => {
    const scan = await newScan();
    const all = titled('one', 'two: "] , [" \\', 'three ü€😀', 'four');
    const { status, body } = await events.raw(scan, write(all), { 'content-type': type });
    expect([status, body]).toEqual([201, { accepted: 4, ignored: 0 }]);
    expect(await events.titles(`scanIds=${scan}`)).toEqual(['four', 'three ü€😀', 'two: "] , [" \\', 'one']);
  });

  it.each([1, 7, 64])('reads a body that comes in pieces of %i bytes', async (size) => {
    const scan = await newScan();
    for (const [type, text] of [
      ['application/json', JSON.stringify(titled('a "quoted\\" one', 'zwei ü€😀'))],
      ['application/x-ndjson', lines(...titled('a "quoted\\" one', 'zwei ü€😀'))],
    ] as const) {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const response = await fetch(`${shop.baseUrl}/api/v1/scans/${scan}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${acme.token}`, 'content-type': type },
        body: ReadableStream.from(pieces),
        duplex: 'half',
      });
      expect([response.status, await response.json()]).toEqual([201, { accepted: 2, ignored: 0 }]);
    }
    expect(new Set(await events.titles(`scanIds=${scan}`))).toEqual(new Set(['a "quoted\\" one', 'zwei ü€😀']));
  });

  it('takes a compressed body', async () => {
    const scan = await newScan();
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    expect((await events.raw(scan, gzipSync(lines(...titled('one', 'two'))), headers)).body.accepted).toBe(2);
    const broken = await events.raw<Refusal>(scan, Buffer.from('not gzip'), headers);
    expect([broken.status, broken.body.detail[0]?.type]).toEqual([422, 'json_invalid']);
    const unknown = await events.raw(scan, 'x', { ...headers, 'content-encoding': 'zip' });
    expect(unknown.status).toBe(415);
  });

  it("keeps every field, and gives attachments an id and the event's time", async () => {
    const [asset, scan] = [await acme.asset(), await newScan()];
    const issueId = await new IssueCalls(shop, acme.token).one(scan, finding(asset.id));
    const createdAt = '2026-01-31T23:30:00.123456+02:00';
    const given = newEvent({ level: 'ERROR', stage: 'AGENT_ACTION', createdAt, issueIds: [issueId, issueId] });
    await events.appended(scan, { ...given, assetIds: [asset.id], attachments: Object.values(attachments) });
    const [listed] = (await events.list(`scanIds=${scan}`)).data;
    const time = '2026-01-31T21:30:00.123Z';
    expect(listed).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      createdAt: time,
      level: 'ERROR',
      stage: 'AGENT_ACTION',
      title: 'Login form found',
      scanId: scan,
      issuesCount: 1,
      attachments: Object.values(attachments).map((one) => ({ id: expect.any(String), createdAt: time, ...one })),
    });
    const { body } = await events.get(listed?.id ?? '');
    expect(body).toEqual({ ...listed, description: 'At /login' });
  });

  it("gives an event the scan's assets where it names none", async () => {
    const [one, two] = [await acme.asset(), await acme.asset()];
    const scan = (await acme.scan({ assetIds: [one.id] })).id;
    await events.appended(scan, newEvent({ title: 'default' }), newEvent({ title: 'own', assetIds: [two.id] }));
    await events.appended(scan, newEvent({ title: 'none', assetIds: [] }), newEvent({ title: 'null', assetIds: null }));
    expect(await events.titles(`assetIds=${one.id}`)).toEqual(['null', 'default']);
    expect(await events.titles(`assetIds=${two.id}`)).toEqual(['own']);
  });

  it('keeps the order of events of one moment', async () => {
    const scan = await newScan();
    const createdAt = ago(day).toISOString();
    const titles = Array.from({ length: 5_000 }, (_, at) => String(at));
    await events.appended(scan, ...titles.map((title) => newEvent({ title, createdAt })));
    const all = await events.all(`scanIds=${scan}&size=100`);
    expect(all.map(({ title }) => title)).toEqual(titles.reverse());
  });

  it('ignores an event whose id is there already', async () => {
    const scan = await newScan();
    const time = ago(minute);
    const [one, two] = [
      newEvent({ id: idAt(time, 1) }),
      newEvent({ id: idAt(time, 2), createdAt: time.toISOString() }),
    ];
    expect(await events.appended(scan, one)).toEqual({ accepted: 1, ignored: 0 });
    expect(await events.appended(scan, one, two, two)).toEqual({ accepted: 1, ignored: 2 });
    expect((await events.list(`scanIds=${scan}`)).data).toHaveLength(2);
  });

  it('counts the same ids once where two append them at once', async () => {
    const scan = await newScan();
    const time = ago(minute);
    const batch = Array.from({ length: 300 }, (_, at) => newEvent({ id: idAt(time, at) }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => events.appended(scan, ...(at % 2 ? batch : batch.toReversed()))),
    );
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300);
    expect(answers.reduce((sum, { ignored }) => sum + ignored, 0)).toBe(7 * 300);
  });

  it('keeps the same id of two organizations apart', async () => {
    const event = newEvent({ id: idAt(ago(minute), 77), title: 'Ours' });
    await events.appended(await newScan(), event);
    const theirs = new EventCalls(shop, other.token);
    expect(await theirs.appended((await other.scan()).id, { ...event, title: 'Theirs' })).toEqual({
      accepted: 1,
      ignored: 0,
    });
    expect((await events.get((event as { id: string }).id)).body.title).toBe('Ours');
  });

  it.each([
    ['title', { title: '' }, ['title'], 'string_too_short'],
    ['no description', { description: undefined }, ['description'], 'missing'],
    ['level', { level: 'FATAL' }, ['level'], 'enum'],
    ['stage', { stage: null }, ['stage'], 'enum'],
    ['NUL', { description: 'a\0b' }, ['description'], 'string_unicode'],
    ['createdAt', { createdAt: 'yesterday' }, ['createdAt'], 'datetime_parsing'],
    ['createdAt ahead', { createdAt: ago(-6 * minute).toISOString() }, ['createdAt'], 'value_error'],
    ['createdAt long ago', { createdAt: ago(3_660 * day).toISOString() }, ['createdAt'], 'value_error'],
    ['id of another version', { id: '0b6c9a36-93b1-4f1c-9bb9-0e6f2a2f8a11' }, ['id'], 'uuid_version'],
    ['id of another variant', { id: '01890a5d-ac96-774b-0cce-b302099a8057' }, ['id'], 'uuid_version'],
    ['id ahead', { id: idAt(ago(-6 * minute)) }, ['id'], 'value_error'],
    [
      'id and another createdAt',
      { id: idAt(ago(day)), createdAt: ago(2 * day).toISOString() },
      ['createdAt'],
      'value_error',
    ],
    ['assetIds', { assetIds: ['x'] }, ['assetIds', 0], 'uuid_parsing'],
    ['attachment type', { attachments: [{ type: 'FILE' }] }, ['attachments', 0, 'type'], 'enum'],
    ['attachment without part', { attachments: [{ type: 'SNIPPET' }] }, ['attachments', 0, 'snippet'], 'missing'],
    [
      'attachment of another part',
      { attachments: [{ ...attachments.SNIPPET, ...attachments.SCREENSHOT, type: 'SNIPPET' }] },
      ['attachments', 0, 'screenshot'],
      'value_error',
    ],
    [
      'screenshot url',
      { attachments: [{ type: 'SCREENSHOT', screenshot: { url: 'javascript:alert(1)' } }] },
      ['attachments', 0, 'screenshot', 'url'],
      'string_pattern_mismatch',
    ],
    [
      'exchange',
      { attachments: [{ type: 'EXCHANGE', exchange: { request: { url: 'x' } } }] },
      ['attachments', 0, 'exchange', 'request', 'method'],
      'missing',
    ],
    ['an entry that is no object', { attachments: [7] }, ['attachments', 0], 'model_attributes_type'],
  ])('answers 422 for a wrong %s, and keeps nothing', async (_, wrong, loc, type) => {
    const scan = await newScan();
    const { status, body } = await events.append<Refusal>(scan, [newEvent(), newEvent(wrong)]);
    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', 1, ...loc], type })]]);
    expect((await events.list(`scanIds=${scan}`)).data).toEqual([]);
  });

  it('takes times at the very bounds', async () => {
    const scan = await newScan();
    const [ahead, back] = [ago(-4.9 * minute), ago(3_651 * day)];
    await events.appended(
      scan,
      newEvent({ createdAt: ahead.toISOString() }),
      newEvent({ createdAt: back.toISOString() }),
    );
    const times = (await events.list(`scanIds=${scan}`)).data.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual([ahead.toISOString(), back.toISOString()]);
  });

  it.each([
    ['an element', '[1]', 'application/json', ['body', 0], 'model_attributes_type'],
    ['a missing element', '[{},,{}]', 'application/json', ['body', 1], 'json_invalid'],
    ['an element that ends wrong', '[{"a":}]', 'application/json', ['body', 0], 'json_invalid'],
    ['an object', '{"title": 1}', 'application/json', ['body'], 'list_type'],
    ['no body', '', 'application/json', ['body'], 'missing'],
    ['a truncated array', JSON.stringify([newEvent()]).slice(0, -1), 'application/json', ['body'], 'json_invalid'],
    ['what follows', `${JSON.stringify([newEvent()])} x`, 'application/json', ['body'], 'json_invalid'],
    ['a line', `${lines(newEvent())}\n\n{"title"`, 'application/x-ndjson', ['body', 2], 'json_invalid'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'application/x-ndjson', ['body', 0], 'json_invalid'],
    ['depth', `{"title": ${'['.repeat(100_000)}`, 'application/x-ndjson', ['body', 0], 'json_invalid'],
  ])('answers 422 for %s that is no event', async (_, raw, type, loc, kind) => {
    const { status, body } = await events.raw<Refusal>(await newScan(), raw, { 'content-type': type });
    expect([status, body.detail[0]]).toEqual([422, expect.objectContaining({ loc, type: kind })]);
  });

  it('takes an empty array and no lines', async () => {
    const scan = await newScan();
    expect(await events.appended(scan)).toEqual({ accepted: 0, ignored: 0 });
    expect((await events.raw(scan, '\n')).body).toEqual({ accepted: 0, ignored: 0 });
  });

  it('takes 20,000 events and 20 MiB', async () => {
    const scan = await newScan();
    const description = 'x'.repeat(1_000);
    const all = Array.from({ length: 20_000 }, (_, at) => newEvent({ title: `${at}`, description }));
    expect((await events.append(scan, all)).body).toEqual({ accepted: 20_000, ignored: 0 });
  });

  it('answers 413 for an event of more than 1 MiB', async () => {
    const large = newEvent({
      attachments: [1, 2, 3].map(() => ({ type: 'SNIPPET', snippet: { content: 'x'.repeat(400_000) } })),
    });
    const scan = await newScan();
    expect((await events.append(scan, [large])).status).toBe(413);
    expect((await events.raw(scan, lines(newEvent(), large))).status).toBe(413);
  });

  it('answers 413 for a body of more than 128 MiB, and goes on with the connection', async () => {
    const scan = await newScan();
    const megabyte = Buffer.from(`${lines(newEvent())}\n`.padEnd(2 ** 20, '\n'));
    const body = ReadableStream.from(
      (function* () {
        for (let count = 0; count < 140; count++) yield megabyte;
      })(),
    );
    const response = await fetch(`${shop.baseUrl}/api/v1/scans/${scan}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.token}`, 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(await events.titles(`scanIds=${scan}`)).toEqual([]);
  });

  it('answers 415 for other types', async () => {
    const scan = await newScan();
    for (const type of ['text/plain', 'application/json; charset=latin1', 'multipart/form-data; boundary=x']) {
      expect((await events.raw(scan, '[]', { 'content-type': type })).status).toBe(415);
    }
  });

  it("answers 404 for another organization's scan, asset or issue, and for none", async () => {
    const [scan, asset] = [await other.scan(), await other.asset()];
    const issueId = await new IssueCalls(shop, other.token).one(scan.id, finding(asset.id));
    expect((await events.append(scan.id, [newEvent()])).status).toBe(404);
    expect((await events.append(uuidV7(), [newEvent()])).status).toBe(404);
    const ours = await newScan();
    for (const named of [{ assetIds: [asset.id] }, { issueIds: [issueId] }, { issueIds: [uuidV7()] }]) {
      const { status, body } = await events.append<{ detail: string }>(ours, [newEvent(), newEvent(named)]);
      expect([status, body.detail]).toEqual([404, expect.stringContaining('element 1')]);
    }
    expect(await events.titles(`scanIds=${ours}`)).toEqual([]);
  });

  it('answers 403 to a viewer, 401 to nobody', async () => {
    const scan = await newScan();
    expect((await new EventCalls(shop, acme.organization.viewer.token).append(scan, [newEvent()])).status).toBe(403);
    expect((await new EventCalls(shop, 'x').append(scan, [newEvent()])).status).toBe(401);
  });

  it('takes events of a scan at its end', async () => {
    const scan = await acme.scan({ status: 'FINISHED' });
    expect(await events.appended(scan.id, newEvent())).toEqual({ accepted: 1, ignored: 0 });
  });
});

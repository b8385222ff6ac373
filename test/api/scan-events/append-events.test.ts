import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { attachments, EventCalls, idAt, newEvent } from '../../support/events.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { eventScene } from './event-scene.js';

const minute = 60_000;
const day = 1_440 * minute;
const scene = eventScene();

interface Refusal {
  detail: { loc: (string | number)[]; type: string }[];
}

const newScan = async () => (await scene.acme.scan()).id;
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
  ])('accepts %s and keeps its order', async (_, type, write) => {
    const scan = await newScan();
    const all = titled('one', 'two: "] , [" \\', 'three ü€😀', 'four');
    const { status, body } = await scene.events.raw(scan, write(all), { 'content-type': type });
    expect([status, body]).toEqual([201, { accepted: 4, ignored: 0 }]);
    expect(await scene.events.titles(`scanIds=${scan}`)).toEqual(['four', 'three ü€😀', 'two: "] , [" \\', 'one']);
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
      const response = await fetch(`${scene.app.baseUrl}/api/v1/scans/${scan}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.acme.token}`, 'content-type': type },
        body: ReadableStream.from(pieces),
        duplex: 'half',
      });
      expect([response.status, await response.json()]).toEqual([201, { accepted: 2, ignored: 0 }]);
    }
    expect(new Set(await scene.events.titles(`scanIds=${scan}`))).toEqual(new Set(['a "quoted\\" one', 'zwei ü€😀']));
  });

  it('accepts a compressed body', async () => {
    const scan = await newScan();
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    expect((await scene.events.raw(scan, gzipSync(lines(...titled('one', 'two'))), headers)).body.accepted).toBe(2);
    const broken = await scene.events.raw<Refusal>(scan, Buffer.from('not gzip'), headers);
    expect([broken.status, broken.body.detail[0]?.type]).toEqual([422, 'json_invalid']);
    const unknown = await scene.events.raw(scan, 'x', { ...headers, 'content-encoding': 'zip' });
    expect(unknown.status).toBe(415);
  });

  it("keeps every field, and gives attachments an id and the event's time", async () => {
    const [asset, scan] = [await scene.acme.asset(), await newScan()];
    const issueId = await new IssueCalls(scene.app, scene.acme.token).one(scan, finding(asset.id));
    const createdAt = '2026-01-31T23:30:00.123456+02:00';
    const given = newEvent({ level: 'ERROR', stage: 'AGENT_ACTION', createdAt, issueIds: [issueId, issueId] });
    await scene.events.appended(scan, { ...given, assetIds: [asset.id], attachments: Object.values(attachments) });
    const [listed] = (await scene.events.list(`scanIds=${scan}`)).data;
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
    const { body } = await scene.events.get(listed?.id ?? '');
    expect(body).toEqual({ ...listed, description: 'At /login', assetIds: [asset.id], issueIds: [issueId] });
  });

  it("gives an event the scan's assets when it names none", async () => {
    const [one, two] = [await scene.acme.asset(), await scene.acme.asset()];
    const scan = (await scene.acme.scan({ assetIds: [one.id] })).id;
    await scene.events.appended(scan, newEvent({ title: 'default' }), newEvent({ title: 'own', assetIds: [two.id] }));
    await scene.events.appended(
      scan,
      newEvent({ title: 'none', assetIds: [] }),
      newEvent({ title: 'null', assetIds: null }),
    );
    expect(await scene.events.titles(`assetIds=${one.id}`)).toEqual(['null', 'default']);
    expect(await scene.events.titles(`assetIds=${two.id}`)).toEqual(['own']);
  });

  it('keeps the order of events of one moment', async () => {
    const scan = await newScan();
    const createdAt = ago(day).toISOString();
    const titles = Array.from({ length: 5_000 }, (_, at) => String(at));
    await scene.events.appended(scan, ...titles.map((title) => newEvent({ title, createdAt })));
    const all = await scene.events.all(`scanIds=${scan}&size=100`);
    expect(all.map(({ title }) => title)).toEqual(titles.reverse());
  });

  it('ignores an event whose id exists already', async () => {
    const scan = await newScan();
    const time = ago(minute);
    const [one, two] = [
      newEvent({ id: idAt(time, 1) }),
      newEvent({ id: idAt(time, 2), createdAt: time.toISOString() }),
    ];
    expect(await scene.events.appended(scan, one)).toEqual({ accepted: 1, ignored: 0 });
    expect(await scene.events.appended(scan, one, two, two)).toEqual({ accepted: 1, ignored: 2 });
    expect((await scene.events.list(`scanIds=${scan}`)).data).toHaveLength(2);
  });

  it('counts ids once that are appended concurrently', async () => {
    const scan = await newScan();
    const time = ago(minute);
    const batch = Array.from({ length: 300 }, (_, at) => newEvent({ id: idAt(time, at) }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => scene.events.appended(scan, ...(at % 2 ? batch : batch.toReversed()))),
    );
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300);
    expect(answers.reduce((sum, { ignored }) => sum + ignored, 0)).toBe(7 * 300);
  });

  it('keeps the same id of two organizations apart', async () => {
    const event = newEvent({ id: idAt(ago(minute), 77), title: 'Ours' });
    await scene.events.appended(await newScan(), event);
    const theirs = new EventCalls(scene.app, scene.other.token);
    expect(await theirs.appended((await scene.other.scan()).id, { ...event, title: 'Theirs' })).toEqual({
      accepted: 1,
      ignored: 0,
    });
    expect((await scene.events.get((event as { id: string }).id)).body.title).toBe('Ours');
  });

  it('accepts times close to the bounds', async () => {
    const scan = await newScan();
    const [ahead, back] = [ago(-4.9 * minute), ago(3_651 * day)];
    await scene.events.appended(
      scan,
      newEvent({ createdAt: ahead.toISOString() }),
      newEvent({ createdAt: back.toISOString() }),
    );
    const times = (await scene.events.list(`scanIds=${scan}`)).data.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual([ahead.toISOString(), back.toISOString()]);
  });

  it('accepts an empty array and no lines', async () => {
    const scan = await newScan();
    expect(await scene.events.appended(scan)).toEqual({ accepted: 0, ignored: 0 });
    expect((await scene.events.raw(scan, '\n')).body).toEqual({ accepted: 0, ignored: 0 });
  });

  it('accepts 20,000 events and 20 MiB', async () => {
    const scan = await newScan();
    const description = 'x'.repeat(1_000);
    const all = Array.from({ length: 20_000 }, (_, at) => newEvent({ title: `${at}`, description }));
    expect((await scene.events.append(scan, all)).body).toEqual({ accepted: 20_000, ignored: 0 });
  });

  it('accepts events of a completed scan', async () => {
    const scan = await scene.acme.scan({ status: 'FINISHED' });
    expect(await scene.events.appended(scan.id, newEvent())).toEqual({ accepted: 1, ignored: 0 });
  });
});

import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
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
const ago = (ms: number) => new Date(Date.now() - ms);

describe('POST /api/v1/scans/{id}/events', () => {
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
    ['an entry that is not an object', { attachments: [7] }, ['attachments', 0], 'model_attributes_type'],
  ])('responds with 422 for a wrong %s, and writes nothing', async (_, wrong, loc, type) => {
    const scan = await newScan();
    const { status, body } = await scene.events.append<Refusal>(scan, [newEvent(), newEvent(wrong)]);
    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', 1, ...loc], type })]]);
    expect((await scene.events.list(`scanIds=${scan}`)).data).toEqual([]);
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
  ])('responds with 422 for %s that is no event', async (_, raw, type, loc, kind) => {
    const { status, body } = await scene.events.raw<Refusal>(await newScan(), raw, { 'content-type': type });
    expect([status, body.detail[0]]).toEqual([422, expect.objectContaining({ loc, type: kind })]);
  });

  it('responds with 413 for an event of more than 1 MiB', async () => {
    const large = newEvent({
      attachments: [1, 2, 3].map(() => ({ type: 'SNIPPET', snippet: { content: 'x'.repeat(400_000) } })),
    });
    const scan = await newScan();
    expect((await scene.events.append(scan, [large])).status).toBe(413);
    expect((await scene.events.raw(scan, lines(newEvent(), large))).status).toBe(413);
  });

  it('responds with 413 for a body of more than 128 MiB, and keeps the connection', async () => {
    const scan = await newScan();
    const megabyte = Buffer.from(`${lines(newEvent()).padStart(2 ** 20 - 1)}\n`);
    const body = ReadableStream.from(
      (function* () {
        for (let count = 0; count < 140; count++) yield megabyte;
      })(),
    );
    const response = await fetch(`${scene.app.baseUrl}/api/v1/scans/${scan}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.acme.token}`, 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(await scene.events.titles(`scanIds=${scan}`)).toEqual([]);
  });

  it('responds with 415 for other types', async () => {
    const scan = await newScan();
    for (const type of ['text/plain', 'application/json; charset=latin1', 'multipart/form-data; boundary=x']) {
      expect((await scene.events.raw(scan, '[]', { 'content-type': type })).status).toBe(415);
    }
  });

  it("responds with 404 for another organization's scan, asset or issue, and for none", async () => {
    const [scan, asset] = [await scene.other.scan(), await scene.other.asset()];
    const issueId = await new IssueCalls(scene.app, scene.other.token).one(scan.id, finding(asset.id));
    expect((await scene.events.append(scan.id, [newEvent()])).status).toBe(404);
    expect((await scene.events.append(uuidV7(), [newEvent()])).status).toBe(404);
    const ours = await newScan();
    for (const named of [{ assetIds: [asset.id] }, { issueIds: [issueId] }, { issueIds: [uuidV7()] }]) {
      const { status, body } = await scene.events.append<{ detail: string }>(ours, [newEvent(), newEvent(named)]);
      expect([status, body.detail]).toEqual([404, expect.stringContaining('element 1')]);
    }
    expect(await scene.events.titles(`scanIds=${ours}`)).toEqual([]);
  });

  it('responds with 403 to a viewer, 401 without a valid token', async () => {
    const scan = await newScan();
    expect(
      (await new EventCalls(scene.app, scene.acme.organization.viewer.token).append(scan, [newEvent()])).status,
    ).toBe(403);
    expect((await new EventCalls(scene.app, 'x').append(scan, [newEvent()])).status).toBe(401);
  });
});

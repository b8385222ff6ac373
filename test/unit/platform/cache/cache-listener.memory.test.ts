import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freshMs } from '../../../../src/platform/changes/freshness.js';
import { TooManyRequests } from '../../../../src/platform/errors/errors.js';
import { etagOf } from '../../../../src/platform/http/entity-tag.js';
import { type CacheableAppResponse, CacheableApp, valueOf } from '../../../support/cacheable-app.js';

let things: CacheableApp;
beforeEach(async () => {
  things = await CacheableApp.open();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await things.close();
});

describe('The limit of an address', () => {
  it('applies to computed responses, not to those from memory', async () => {
    await things.keep('one');
    const refusal = new TooManyRequests('Too many requests from your address', 7);
    const count = jest.spyOn(things.limit, 'count').mockRejectedValue(refusal);
    const { status, headers, body } = await things.send('/things/2').answer;
    expect([status, headers['retry-after'], headers['x-content-type-options']]).toEqual([429, '7', 'nosniff']);
    expect(JSON.parse(body)).toEqual({ detail: refusal.message, code: 'too_many_requests' });
    expect(count).toHaveBeenCalledWith(expect.stringContaining('127.0.0.1'));
    expect(await valueOf(things.send('/things/1'))).toBe('one');
    expect(things.computations).toHaveLength(1);
  });
});

describe('An answer from memory', () => {
  it('is sent without running the handler, with the same headers and an id of its own', async () => {
    const first = await things.keep('one', { 'x-request-id': 'first' });
    const { answer } = things.send('/things/1', { 'x-request-id': 'second' });
    const second = await answer;
    const same = ({ headers }: CacheableAppResponse) => ({ ...headers, date: undefined, 'x-request-id': undefined });
    expect(same(second)).toEqual(same(first));
    expect([first.headers['x-request-id'], second.headers['x-request-id']]).toEqual(['first', 'second']);
    expect(second.body).toBe(first.body);
  });

  it.each(['*', 'W/{}', '"other", {}'])('is a 304 without a body for If-None-Match: %s, kept or not', async (form) => {
    const condition = { 'if-none-match': form.replace('{}', etagOf(Buffer.from('{"value":"one"}'))) };
    const first = await things.keep('one', condition);
    const second = await things.send('/things/1', condition).answer;
    for (const { status, headers, body } of [first, second]) {
      expect([status, body, headers.etag]).toEqual([304, '', expect.stringMatching(/^"[\w-]{27}"$/)]);
      expect([headers['cache-control'], headers['content-type'], headers['content-length']]).toEqual([
        'no-cache',
        undefined,
        undefined,
      ]);
    }
    expect(things.computations).toHaveLength(1);
  });

  it('is sent for 1.8 s from the start of its computation', async () => {
    let now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const sent = things.send('/things/1');
    await things.begun(1);
    now += freshMs - 1;
    const late = await things.arrive('/things/1');
    things.computations[0]?.resolve('one');
    expect(await Promise.all([sent, late, things.send('/things/1')].map(valueOf))).toEqual(['one', 'one', 'one']);
    now += 1;
    const outdated = things.send('/things/1');
    await things.begun(2);
    things.computations[1]?.resolve('two');
    expect(await valueOf(outdated)).toBe('two');
  });

  it('is not awaited by requests that come 1.8 s after its computation began', async () => {
    let now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const slow = await things.arrive('/things/1');
    await things.begun(1);
    now += freshMs;
    const next = await things.arrive('/things/1');
    await things.begun(2);
    things.computations[1]?.resolve('newer');
    expect(await valueOf(next)).toBe('newer');
    things.computations[0]?.resolve('older');
    expect(await valueOf(slow)).toBe('older');
    expect(await valueOf(things.send('/things/1'))).toBe('newer');
  });

  it('is logged like any other, marked as kept', async () => {
    await things.keep('one', { 'x-request-id': 'first' });
    await things.send('/things/1', { 'x-request-id': 'second' }).answer;
    const line = { level: 30, msg: 'answered', res: 200, responseTime: expect.any(Number), method: 'GET' };
    expect(things.log).toEqual([
      expect.objectContaining({ ...line, url: '/things/1', reqId: 'first' }),
      expect.objectContaining({ ...line, url: '/things/1', reqId: 'second', kept: true }),
    ]);
    expect(things.log[0]).not.toHaveProperty('kept');
  });

  it('is the same for every caller, signed in or not', async () => {
    await things.keep('one');
    expect(await valueOf(things.send('/things/1', { authorization: 'Bearer x' }))).toBe('one');
    expect(things.computations).toHaveLength(1);
  });

  it('is sent to HEAD too, without its body, and measured as such', async () => {
    const { headers } = await things.keep('one');
    const head = await things.send('/things/1', {}, 'HEAD').answer;
    expect([head.status, head.body, head.headers.etag]).toEqual([200, '', headers.etag]);
    expect(head.headers['content-length']).toBe(headers['content-length']);
    expect(things.log.at(-1)).toMatchObject({ method: 'HEAD', kept: true });
    expect(things.computations).toHaveLength(1);
  });

  it('is not sent to other methods', async () => {
    await things.keep('one');
    expect((await things.send('/things/1', {}, 'POST').answer).status).toBe(404);
  });

  it('closes its connection when the service is stopping', async () => {
    const sent = [await things.arrive('/things/1'), await things.arrive('/things/1')];
    await things.begun(1);
    const finished = things.underWay.finish();
    things.computations[0]?.resolve('last');
    for (const { answer } of sent) {
      const { headers, body } = await answer;
      expect([headers.connection, headers['x-request-id'] === '', body]).toEqual(['close', false, '{"value":"last"}']);
    }
    await finished;
  });
});

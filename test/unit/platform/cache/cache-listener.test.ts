import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { everything } from '../../../../src/platform/changes/change-bus.js';
import { NotFound } from '../../../../src/platform/errors/errors.js';
import { CacheableApp, valueOf } from '../../../support/cacheable-app.js';

let things: CacheableApp;
beforeEach(async () => {
  things = await CacheableApp.open();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await things.close();
});

describe('A computation in flight', () => {
  it('serves all requests that arrive meanwhile', async () => {
    const sent = [];
    for (let n = 0; n < 50; n++) sent.push(await things.arrive('/things/1'));
    await things.begun(1);
    things.computations[0]?.resolve('one');
    expect(await Promise.all(sent.map(valueOf))).toEqual(sent.map(() => 'one'));
    expect(things.computations).toHaveLength(1);
  });

  it('runs again for requests that came after a change, and its response is not kept', async () => {
    const early = await things.arrive('/things/1');
    await things.begun(1);
    things.bus.announce(['thing:1']);
    const late = [await things.arrive('/things/1'), await things.arrive('/things/1')];
    things.computations[0]?.resolve('old');
    expect(await valueOf(early)).toBe('old');
    await things.begun(2);
    things.computations[1]?.resolve('new');
    expect(await Promise.all(late.map(valueOf))).toEqual(['new', 'new']);
    expect(await valueOf(things.send('/things/1'))).toBe('new');
    expect(things.computations).toHaveLength(2);
  });

  it('runs again for a request that came between two changes', async () => {
    await things.arrive('/things/1');
    await things.begun(1);
    things.bus.announce(['thing:1']);
    const between = await things.arrive('/things/1');
    things.bus.announce(['thing:1']);
    things.computations[0]?.resolve('before both');
    await things.begun(2);
    things.computations[1]?.resolve('after both');
    expect(await valueOf(between)).toBe('after both');
  });

  it('serves requests that came before the change', async () => {
    const early = [await things.arrive('/things/1'), await things.arrive('/things/1')];
    await things.begun(1);
    things.bus.announce(['thing:1']);
    things.computations[0]?.resolve('old');
    expect(await Promise.all(early.map(valueOf))).toEqual(['old', 'old']);
  });

  it('serves all requests, and is kept, if only something else changed', async () => {
    const early = await things.arrive('/things/1');
    await things.begun(1);
    things.bus.announce(['thing:2']);
    const late = await things.arrive('/things/1');
    things.computations[0]?.resolve('one');
    expect(await Promise.all([early, late, things.send('/things/1')].map(valueOf))).toEqual(['one', 'one', 'one']);
  });

  it('runs again if anything may have changed', async () => {
    await things.arrive('/things/1');
    await things.begun(1);
    things.bus.announce([everything]);
    const late = await things.arrive('/things/1');
    things.computations[0]?.resolve('old');
    await things.begun(2);
    things.computations[1]?.resolve('new');
    expect(await valueOf(late)).toBe('new');
  });

  it('serves those who wait after its own caller disconnects', async () => {
    const leader = await things.arrive('/things/1');
    const gone = leader.answer.catch(() => 'gone');
    await things.begun(1);
    const waiting = [await things.arrive('/things/1'), await things.arrive('/things/1')];
    leader.request.destroy();
    expect(await gone).toBe('gone');
    things.computations[0]?.resolve('one');
    expect(await Promise.all([...waiting, things.send('/things/1')].map(valueOf))).toEqual(['one', 'one', 'one']);
    expect(things.computations).toHaveLength(1);
  });

  it('passes its failure to all who waited, without keeping it', async () => {
    const sent = [await things.arrive('/things/1'), await things.arrive('/things/1')];
    await things.begun(1);
    things.computations[0]?.reject(new NotFound('No such thing'));
    for (const { answer } of sent) {
      const { status, headers, body } = await answer;
      expect([status, headers.etag, JSON.parse(body)]).toEqual([
        404,
        undefined,
        { detail: 'No such thing', code: 'not_found' },
      ]);
    }
    const next = await things.arrive('/things/1');
    await things.begun(2);
    things.computations[1]?.resolve('there');
    expect(await valueOf(next)).toBe('there');
  });

  it('runs again after a failure for requests that came after any change', async () => {
    const early = await things.arrive('/things/1');
    await things.begun(1);
    things.bus.announce(['assortment']);
    const late = await things.arrive('/things/1');
    things.computations[0]?.reject(new NotFound('No such thing'));
    expect((await early.answer).status).toBe(404);
    await things.begun(2);
    things.computations[1]?.resolve('there');
    expect(await valueOf(late)).toBe('there');
  });

  it('turns an unexpected error into a 500, logs its cause, and serves the next request', async () => {
    const sent = await things.arrive('/things/1');
    await things.begun(1);
    things.computations[0]?.reject(new Error('Out of order'));
    const { status, body } = await sent.answer;
    expect([status, JSON.parse(body)]).toEqual([500, expect.objectContaining({ code: 'internal_error' })]);
    expect(things.log).toEqual([
      expect.objectContaining({ level: 50, res: 500, err: expect.objectContaining({ message: 'Out of order' }) }),
    ]);
    const next = await things.arrive('/things/1');
    await things.begun(2);
    things.computations[1]?.resolve('one');
    expect(await valueOf(next)).toBe('one');
  });
});

import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeBus } from '../../../src/common/changes/change-bus.js';
import { LoneProcess } from '../../../src/common/workers/worker-link.js';
import { ChangeFeed } from '../../../src/database/change-feed.js';
import type { DatabaseAddress } from '../../../src/connections/database-address.js';
import type { Database } from '../../../src/database/database.js';
import { Deferred } from '../../support/deferred.js';

/** A database that records the payload of each NOTIFY, and ends it when the test does. */
class SlowDatabase {
  readonly published: string[][] = [];
  readonly ends: Deferred<number>[] = [];

  execute(_sql: string, [, payload]: string[]): Promise<number> {
    const [, ...cacheTags] = JSON.parse(payload ?? '') as string[];
    this.published.push(cacheTags);
    const end = new Deferred<number>();
    this.ends.push(end);
    return end.promise;
  }
}

function feedOn(database: SlowDatabase): ChangeFeed {
  return new ChangeFeed(database as unknown as Database, {} as DatabaseAddress, new ChangeBus(), new LoneProcess());
}

describe('ChangeFeed', () => {
  it('publishes what changes within milliseconds in one message', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    feed.publish(['a']);
    feed.publish(['b', 'a']);
    await sleep(30);
    expect(database.published).toEqual([['a', 'b']]);
  });

  it('sends one message at a time, and in the next one all that changed meanwhile', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    feed.publish(['a']);
    await sleep(30);
    for (const cacheTag of ['b', 'c']) {
      feed.publish([cacheTag]);
      await sleep(30);
    }
    expect(database.published).toEqual([['a']]);
    database.ends[0]?.resolve(1);
    await sleep(5);
    expect(database.published).toEqual([['a'], ['b', 'c']]);
    database.ends[1]?.resolve(1);
    await sleep(5);
    feed.publish(['d']);
    await sleep(30);
    expect(database.published).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('goes on after a message that could not be sent', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    feed.publish(['a']);
    await sleep(30);
    database.ends[0]?.reject(new Error('gone'));
    await sleep(5);
    feed.publish(['b']);
    await sleep(30);
    expect(database.published).toEqual([['a'], ['b']]);
  });
});

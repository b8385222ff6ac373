import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeBus } from '../../../src/platform/changes/change-bus.js';
import { ChangeFeed } from '../../../src/database/change-feed.js';
import { DatabaseAddress } from '../../../src/database/connections/database-address.js';
import type { Database } from '../../../src/database/database.js';
import { Deferred } from '../../support/deferred.js';
import { until } from '../../support/receiver.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { createTestDatabase } from '../../support/test-database.js';

/** A database that records the payload of each NOTIFY, closed when the test ends. */
class SlowDatabase {
  readonly published: string[][] = [];
  readonly publishedAt: number[] = [];
  readonly ends: Deferred<number>[] = [];

  execute(_sql: string, [, payload]: string[]): Promise<number> {
    const [, ...cacheTags] = JSON.parse(payload ?? '') as string[];
    this.published.push(cacheTags);
    this.publishedAt.push(performance.now());
    const end = new Deferred<number>();
    this.ends.push(end);
    return end.promise;
  }
}

function feedOn(database: SlowDatabase): ChangeFeed {
  return new ChangeFeed(database as unknown as Database, {} as DatabaseAddress, new ChangeBus());
}

describe('A ChangeFeed whose connection falls silent', () => {
  it('gives the connection up, publishes through the pool meanwhile, and receives again once it can reconnect', async () => {
    const server = await createTestDatabase();
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    const url = Object.assign(new URL(server.url), { host: `127.0.0.1:${proxy.port}` }).href;
    const database = new SlowDatabase();
    const bus = new ChangeBus();
    const seen: string[] = [];
    bus.onMissed(() => seen.push('missed'));
    bus.onChange((cacheTags) => seen.push(...cacheTags));
    const address = new DatabaseAddress(url, url, true);
    const feed = new ChangeFeed(database as unknown as Database, address, bus);
    await feed.onApplicationBootstrap();
    expect(seen).toEqual(['missed']);
    proxy.silence(true);
    await until(() => seen.length === 2, 'a connection that counts as lost');
    expect(seen).toEqual(['missed', 'missed']);
    feed.publish(['product:1']);
    await until(() => database.published.length === 1, 'a message by the pool');
    proxy.silence(false);
    await until(() => seen.length === 3, 'a new connection');
    await server.rows(`SELECT pg_notify('store_changes', '["another node", "product:2"]')`);
    await until(() => seen.length === 4, 'what another node changed');
    expect(seen.slice(2)).toEqual(['missed', 'product:2']);
    database.ends[0]?.resolve(1);
    await feed.beforeApplicationShutdown();
    await feed.onApplicationShutdown();
    await proxy.cut();
    await server.drop();
  });

  it('publishes through the pool what it was about to send', async () => {
    const server = await createTestDatabase();
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    const url = Object.assign(new URL(server.url), { host: `127.0.0.1:${proxy.port}` }).href;
    const database = new SlowDatabase();
    const address = new DatabaseAddress(url, url, true);
    const feed = new ChangeFeed(database as unknown as Database, address, new ChangeBus());
    await feed.onApplicationBootstrap();
    proxy.silence(true);
    feed.publish(['product:1']);
    await until(() => database.published.length === 1, 'a message by the pool');
    expect(database.published).toEqual([['product:1']]);
    database.ends[0]?.resolve(1);
    await feed.beforeApplicationShutdown();
    await feed.onApplicationShutdown();
    await proxy.cut();
    await server.drop();
  });
});

describe('ChangeFeed', () => {
  it('publishes changes that come within milliseconds in one message', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    feed.publish(['a']);
    feed.publish(['b', 'a']);
    await until(() => database.published.length > 0);
    expect(database.published).toEqual([['a', 'b']]);
  });

  it('pauses between a message and the next one', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    for (const cacheTag of ['a', 'b', 'c']) {
      feed.publish([cacheTag]);
      await until(() => database.published.at(-1)?.[0] === cacheTag);
      database.ends.at(-1)?.resolve(1);
    }
    const [first = 0, , third = 0] = database.publishedAt;
    expect(third - first).toBeGreaterThan(45);
    expect(database.published).toEqual([['a'], ['b'], ['c']]);
  });

  it('sends one message at a time, and in the next one everything that changed meanwhile', async () => {
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
    await until(() => database.published.length === 2);
    expect(database.published).toEqual([['a'], ['b', 'c']]);
    database.ends[1]?.resolve(1);
    await sleep(5);
    feed.publish(['d']);
    await until(() => database.published.length === 3);
    expect(database.published).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('sends what is left when it closes, after the message that is on its way', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    feed.publish(['a']);
    await until(() => database.published.length === 1);
    feed.publish(['b']);
    const ended = feed.beforeApplicationShutdown();
    database.ends[0]?.resolve(1);
    await until(() => database.published.length === 2);
    database.ends[1]?.resolve(1);
    await ended;
    expect(database.published).toEqual([['a'], ['b']]);
  });

  it('continues after a message that could not be sent', async () => {
    const database = new SlowDatabase();
    const feed = feedOn(database);
    feed.publish(['a']);
    await sleep(30);
    database.ends[0]?.reject(new Error('gone'));
    await sleep(5);
    feed.publish(['b']);
    await until(() => database.published.length === 2);
    expect(database.published).toEqual([['a'], ['b']]);
  });
});

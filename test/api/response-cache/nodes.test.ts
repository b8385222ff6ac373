import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ChangeBus, type CacheTag } from '../../../src/platform/changes/change-bus.js';
import { Changes } from '../../../src/database/changes.js';
import { DemoUpkeepService } from '../../../src/demo/demo-upkeep.service.js';
import type { ApiClient } from '../../support/api-client.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** The changes that a node receives: cache tags, or an alarm that anything may have changed. */
class Ear {
  private readonly heard = new Set<CacheTag>();
  private alarms = 0;

  constructor(node: NestExpressApplication) {
    node.get(ChangeBus).onChange((cacheTags) => cacheTags.forEach((cacheTag) => this.heard.add(cacheTag)));
    node.get(ChangeBus).onMissed(() => (this.alarms += 1));
  }

  receives(cacheTag: CacheTag): Promise<void> {
    return this.until(() => this.heard.has(cacheTag), cacheTag);
  }

  /** Waits for an alarm during `work` or since. */
  async isAlarmedBy(work: () => Promise<unknown>): Promise<void> {
    const before = this.alarms;
    await work();
    await this.until(() => this.alarms > before, 'an alarm');
  }

  private async until(isTrue: () => boolean, what: string): Promise<void> {
    for (let waited = 0; !isTrue(); waited += 5) {
      if (waited > 20_000) throw new Error(`Nothing was heard of ${what}`);
      await sleep(5);
    }
  }
}

let app: TestApp;
let other: { api: ApiClient; nest: NestExpressApplication };
let ear: Ear;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '64' } });
  other = await app.anotherNode();
  ear = new Ear(other.nest);
});
afterAll(() => app.close());

async function nameShownBy(api: ApiClient, path: string): Promise<string> {
  return (await api.get<{ name: string }>(path)).body.name;
}

/** Ends the connections on which nodes receive changes. */
function deafen(): Promise<unknown> {
  return app.database.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'store-service changes'`,
  );
}

describe('Another node', () => {
  it('receives changes, and shows them from then on', async () => {
    const id = await insertProduct(app, { name: 'Old' });
    const path = `/api/v1/products/${id}`;
    expect(await nameShownBy(other.api, path)).toBe('Old');
    await app.api.put(path, { json: { name: 'New' } });
    await ear.receives(`product:${id}`);
    expect(await nameShownBy(other.api, path)).toBe('New');
  });

  it('receives many concurrent changes', async () => {
    const cacheTags = Array.from({ length: 300 }, (_, n) => `thing:${n}`);
    for (const cacheTag of cacheTags) app.nest.get(Changes).invalidate([cacheTag]);
    await Promise.all(cacheTags.map((cacheTag) => ear.receives(cacheTag)));
  });

  it('forgets everything when more changes than a message holds', async () => {
    const cacheTags = Array.from({ length: 2_000 }, (_, n) => `some-thing:${n}`);
    await ear.isAlarmedBy(async () => app.nest.get(Changes).invalidate(cacheTags));
  });

  it.each(['nonsense', '{"a":1}', '[]', '[1,2]', ''])(
    'forgets everything on the message %j, and lives',
    async (text) => {
      await ear.isAlarmedBy(() => app.database.rows(`SELECT pg_notify('store_changes', $1)`, [text]));
      expect((await other.api.get('/health')).status).toBe(200);
    },
  );

  it('receives again after its connection is cut', async () => {
    await ear.isAlarmedBy(deafen);
    await ear.isAlarmedBy(async () => undefined); // it listens again, and knows that it may have missed something
    app.nest.get(Changes).invalidate(['said-after-the-cut']);
    await ear.receives('said-after-the-cut');
  });

  it('shows within two seconds changes made around all nodes', async () => {
    const id = await insertProduct(app, { name: 'Old' });
    const path = `/api/v1/products/${id}`;
    expect(await nameShownBy(other.api, path)).toBe('Old');
    await app.database.rows(`UPDATE products SET name = 'By hand' WHERE id = $1`, [id]);
    await sleep(2_000);
    expect(await nameShownBy(other.api, path)).toBe('By hand');
  });

  it('forgets everything when the demo is emptied', async () => {
    const path = `/api/v1/products/${await insertProduct(app)}`;
    expect((await other.api.get(path)).status).toBe(200);
    await ear.isAlarmedBy(() => app.nest.get(DemoUpkeepService).empty());
    expect((await other.api.get(path)).status).toBe(404);
  });

  it('receives what a node publishes while it stops', async () => {
    const third = await app.anotherNode();
    third.nest.get(Changes).invalidate(['changed-at-the-end']);
    await third.nest.close();
    await ear.receives('changed-at-the-end');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangeBus } from '../../src/platform/changes/change-bus.js';
import { productCacheTag } from '../../src/store/catalogue/product-cache-tags.js';
import { insertProduct } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const changes = 10;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '16' } });
});
afterAll(() => app.close());

describe('Another node behind the pooler', () => {
  it('receives a notice of each change, and shows the change from then on', async () => {
    const { api: other, nest } = await app.anotherNode();
    const id = await insertProduct(app);
    const path = `/api/v1/products/${id}`;
    const nameThere = async () => ((await other.get(path)).body as { name: string }).name;
    let notices = 0;
    let alarms = 0;
    nest.get(ChangeBus).onChange((tags) => {
      if (tags.includes(productCacheTag(id))) notices++;
    });
    nest.get(ChangeBus).onMissed(() => alarms++);
    for (let change = 1; change <= changes; change++) {
      await nameThere(); // its answer is in memory now
      await app.api.put(path, { json: { name: `Version ${change}` } });
      await until(() => notices === change, `the notice of version ${change}`);
      expect(await nameThere()).toBe(`Version ${change}`);
    }
    expect(alarms).toBe(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertProduct } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const changes = 50;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '16' } });
});
afterAll(() => app.close());

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

describe('Another node behind the pooler', () => {
  it('shows a change within 50 ms, half of the time at least', async () => {
    const { api: other } = await app.anotherNode();
    const path = `/api/v1/products/${await insertProduct(app)}`;
    const nameThere = async () => ((await other.get(path)).body as { name: string }).name;
    const delays: number[] = [];
    for (let change = 1; change <= changes; change++) {
      await nameThere();
      await app.api.put(path, { json: { name: `Version ${change}` } });
      const answered = performance.now();
      await until(async () => (await nameThere()) === `Version ${change}`, `version ${change}`);
      delays.push(performance.now() - answered);
    }
    expect(median(delays)).toBeLessThan(50);
  });
});

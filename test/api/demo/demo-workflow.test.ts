import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoDataService } from '../../../src/demo/demo-data.service.js';
import { DemoUpkeepService } from '../../../src/demo/demo-upkeep.service.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Delivery {
  status: string;
  attempts: { error: string | null; statusCode: number | null }[];
}

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ env: { DEMO_DATA: 'true' }, jobs: true });
  await app.nest.get(DemoDataService).loadOnce();
  headers = { 'X-API-Key': (await app.nest.get(DemoUpkeepService).openOrganization()) ?? '' };
});
afterAll(() => app.close());

describe("the demo's workflow without EGRESS_ALLOW", () => {
  it('sends nothing to this machine, and the delivery says why', async () => {
    const listed = (await app.api.get('/api/v1/workflows', { headers })).body as {
      data: { id: string; name: string }[];
    };
    const path = `/api/v1/workflows/${listed.data.find(({ name }) => name === 'Everything, by hand')?.id}`;
    await app.api.post(`${path}/run`, { headers });
    let delivery: Delivery | undefined;
    await until(async () => {
      const { body } = await app.api.get(`${path}/deliveries`, { headers });
      delivery = (body as { data: Delivery[] }).data[0];
      return delivery?.status === 'RETRYING';
    });
    expect(delivery?.attempts).toMatchObject([
      { statusCode: null, error: expect.stringContaining('127.0.0.1 leads to a private or reserved network') },
    ]);
  });
});

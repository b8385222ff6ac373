import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { ServiceLife } from '../../../src/platform/http/service-life.js';
import { Settings } from '../../../src/config/settings.js';
import { DemoUpkeepService } from '../../../src/demo/demo-upkeep.service.js';
import { welcome } from '../../../src/cli/serving.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.close();
});

describe('The lines of the first start', () => {
  it('have the generated password, also where the service was told to stop meanwhile', async () => {
    const upkeep = app.nest.get(DemoUpkeepService);
    jest.spyOn(upkeep, 'openOrganization').mockImplementation(() => {
      jest.spyOn(app.nest.get(ServiceLife), 'stopping', 'get').mockReturnValue(true);
      return Promise.reject(new Error('The connection is closed'));
    });
    const settings = app.nest.get(Settings);
    const lines = await welcome(app.nest, { settings, logger: pino({ level: 'silent' }), port: 1, data: 'here' });
    const password = /Admin +\S+ \/ (\S+) +\(generated/.exec(lines)?.[1] ?? '';
    jest.restoreAllMocks();
    const { status } = await app.api.post('/api/v1/auth/login', {
      json: { username: settings.adminUsername, password },
    });
    expect(status).toBe(200);
  });
});

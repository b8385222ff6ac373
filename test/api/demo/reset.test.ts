import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { resetDemo } from '../../../src/cli/service.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { DemoDataService } from '../../../src/demo/demo-data.service.js';

let app: TestApp;
let folder: string;
let environment: Record<string, string>;
let printed: string[];
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'store-reset-'));
  environment = { ...app.database.env, DATA_DIR: folder, DEMO_DATA: 'true' };
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  printed = [];
  jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});

const productNames = () => app.database.rows<{ name: string }>('SELECT name FROM products ORDER BY id');

describe('npm run demo:reset', () => {
  it('is refused on a database without the demo data, in production, and with DEMO_DATA=false', async () => {
    await expect(resetDemo(environment)).rejects.toThrow('does not hold the demo data');
    await expect(resetDemo({ ...environment, DEMO_DATA: 'false' })).rejects.toThrow('refused in production');
  });

  it('leaves the shipping methods of the shop as they are', async () => {
    await app.nest.get(DemoDataService).loadOnce();
    await app.database.rows(`UPDATE shipping_methods SET cost = 3 WHERE code = 'standard'`);
    await resetDemo(environment);
    const methods = await app.database.rows('SELECT code, cost FROM shipping_methods ORDER BY position');
    expect(methods).toEqual([
      { code: 'standard', cost: '3.00' },
      { code: 'express', cost: '12.99' },
    ]);
  });

  it('puts the demo data back as on the first day, and prints a new key', async () => {
    await app.nest.get(DemoDataService).loadOnce();
    const before = await productNames();
    await app.database.rows(`UPDATE products SET name = 'Changed'; DELETE FROM testimonials`);
    await resetDemo(environment);
    expect(before.length).toBeGreaterThan(0);
    expect(await productNames()).toEqual(before);
    expect(await app.database.rows('SELECT FROM testimonials')).not.toEqual([]);
    expect(printed.join('\n')).toMatch(/The demo data are those of the first day again\.[^]*Client: .*ssk_/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { signUp } from '../support/accounts.js';
import { addToCart, insertProduct } from '../support/goods.js';
import { type ServiceProcess, startNodeProcess } from '../support/service-process.js';
import { type PagesScene, startPagesScene } from './pages-scene.js';
import { signInAt, typeAddress } from './way-scene.js';

let scene: PagesScene;
let folder: string;
const services: ServiceProcess[] = [];

/** The service as a process that may be killed, where the shop front finds it, in place of an earlier one. */
async function start(): Promise<ServiceProcess> {
  await scene.way.cut();
  for (const earlier of services.splice(0)) await earlier.stop();
  const service = await startNodeProcess(scene.app, folder, { STOREFRONT: 'true' });
  services.push(service);
  await scene.way.mend(Number(new URL(service.baseUrl).port));
  return service;
}

const orderAt = (page: Page) => page.locator('form[action="?/order"] button:not([type], [formaction])');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-restart-'));
  scene = await startPagesScene();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await scene?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('A service that is killed while somebody is in the checkout', () => {
  it('loses nothing of what was typed, and sells once when it is back', async () => {
    const first = await start();
    const customer = await signUp(scene.app);
    await addToCart(scene.app, customer, await insertProduct(scene.app, { name: 'Patient lamp' }));
    const page = await scene.newPage();
    await page.goto(`${scene.origin}/login?next=/checkout`);
    await signInAt(page, customer);
    await page.waitForURL(`${scene.origin}/checkout`);
    await typeAddress(page);
    await page.getByLabel(/Express/).check();
    const key = await page.locator('input[name=key]').inputValue();

    await first.stop('SIGKILL');
    await scene.way.cut();
    for (let tries = 0; tries < 2; tries++) {
      await orderAt(page).click();
      await page.getByText('The shop cannot be reached at the moment').waitFor();
      expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Portland');
      expect(await page.locator('input[name=key]').inputValue()).toBe(key);
    }

    await start();
    await orderAt(page).click();
    await page.waitForURL(/\/orders\/\d+/);
    const { body } = await scene.app.api.get<unknown[]>('/api/v1/orders/', customer);
    expect(body).toHaveLength(1);
    await page.context().close();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { signUp } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { Acts } from './acts.js';
import { admin, type ConsoleScene, startConsoleScene, violationsInBothThemes } from './console-scene.js';

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
});

afterAll(async () => {
  await scene?.close();
});

const region = (acts: Acts) => acts.page.getByRole('region', { name: 'First steps' });
const open = (acts: Acts, name: string) => region(acts).getByRole('link', { name, exact: true });

describe('The first ten minutes', () => {
  it('begin at a sign-in page that says what the product is, until the shop has a product', async () => {
    const page = await scene.visit(`${scene.app.baseUrl}/console/`);
    await page.evaluate(axe.source);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const words = page.getByRole('region', { name: 'What this is' });
    await words.getByText('The back end of an online shop').waitFor();
    await words.getByText('ADMIN_PASSWORD').waitFor();
    expect(await words.getByRole('link', { name: 'Documentation' }).getAttribute('href')).toBe('/docs');
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.context().close();
  });

  it('go through a checklist that ticks itself, is put away and comes back', async () => {
    const acts = new Acts(await scene.signIn(admin), scene.app);
    await acts.page.evaluate(axe.source);
    await region(acts).getByText('0 of 6 done').waitFor();
    expect(await violationsInBothThemes(acts.page)).toEqual([]);
    await open(acts, 'Name the shop').click();
    await acts.page.getByLabel('Name', { exact: true }).pressSequentially('Harbour Outfitters');
    await acts.press('Save');
    await acts.said('is saved');
    await acts.at('shop');
    await region(acts).getByText('1 of 6 done').waitFor();
    expect(await open(acts, 'Name the shop').count()).toBe(0);
    await acts.press('Put away', region(acts));
    await region(acts).waitFor({ state: 'detached' });
    await acts.page.reload();
    await acts.press('First steps');
    await region(acts).getByText('1 of 6 done').waitFor();
    expect(acts.faults()).toEqual([]);
    await acts.page.context().close();
  });

  it('tell those who only belong to an organization nothing of the shop', async () => {
    const account = await signUp(scene.app);
    const acts = new Acts(await scene.signIn(account), scene.app);
    await acts.at('scanning/new');
    await region(acts).getByText('0 of 3 done').waitFor();
    expect(await open(acts, 'Name the shop').count()).toBe(0);
    await acts.page.context().close();
  });

  it('are over on the sign-in page once there are products', async () => {
    await insertProduct(scene.app);
    const page = await scene.visit(`${scene.app.baseUrl}/console/`);
    await page.getByText('Harbour Outfitters').waitFor();
    expect(await page.getByRole('region', { name: 'What this is' }).count()).toBe(0);
    await page.context().close();
  });
});

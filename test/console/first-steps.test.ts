import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signUp } from '../support/accounts.js';
import { insertProduct } from '../support/goods.js';
import { codeOf } from '../support/one-time-codes.js';
import { Acts } from './acts.js';
import { admin, type ConsoleScene, startConsoleScene, violationsInBothThemes } from './console-scene.js';

let scene: ConsoleScene;
const ownPassword = 'a better phrase of 4 words';

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

  it('tick what is done elsewhere: a password, a product, a colleague, two-factor login', async () => {
    const acts = new Acts(await scene.signIn(admin), scene.app);
    await region(acts).getByText('1 of 6 done').waitFor();
    await open(acts, 'Choose a password of your own').click();
    const password = acts.page.getByRole('region', { name: 'Password' });
    await password.getByLabel('Current password').pressSequentially(admin.password);
    await password.getByLabel('New password').pressSequentially(ownPassword);
    await acts.press('Change password', password);
    await acts.said('Your password is changed');
    await acts.at('shop');
    await region(acts).getByText('2 of 6 done').waitFor();
    await open(acts, 'Add the first product').click();
    const form = acts.page.getByRole('dialog', { name: 'New product' });
    await form.getByLabel('Name', { exact: true }).pressSequentially('First lamp');
    await form.getByLabel('Price', { exact: true }).pressSequentially('19.99');
    await form.getByLabel('Stock', { exact: true }).pressSequentially('3');
    await acts.press('Add to the catalog', form);
    await form.waitFor({ state: 'detached' });
    await acts.at('shop');
    await region(acts).getByText('3 of 6 done').waitFor();
    const colleague = await signUp(scene.app);
    await open(acts, 'Make a colleague an admin').click();
    const dialog = acts.page.getByRole('dialog', { name: 'Add a colleague' });
    const field = dialog.getByLabel('Username or e-mail');
    await field.pressSequentially('nobody@x.example');
    await acts.press('Make an admin', dialog);
    await dialog.getByText('Nobody has signed up as nobody@x.example yet.').waitFor();
    const mail = await dialog.getByRole('link', { name: 'Write them a mail' }).getAttribute('href');
    expect(mail).toContain(`mailto:nobody%40x.example?subject=Run%20Harbour%20Outfitters%20with%20me`);
    await field.fill('');
    await field.pressSequentially(admin.username);
    await acts.press('Make an admin', dialog);
    await dialog.getByRole('alert').getByText(`${admin.username} is an admin already.`).waitFor();
    await field.fill('');
    await field.pressSequentially(colleague.username.toUpperCase());
    await acts.press('Make an admin', dialog);
    await acts.said(`${colleague.username} is an admin now`);
    expect(await acts.row('SELECT role FROM users WHERE id = $1', [colleague.id])).toEqual({ role: 'admin' });
    await acts.at('shop');
    await region(acts).getByText('4 of 6 done').waitFor();
    await open(acts, 'Set up two-factor login').click();
    const secured = acts.page.getByRole('region', { name: 'Two-factor' });
    await acts.press('Set up', secured);
    const secret = (await secured.locator('code').first().innerText()).replace(/\s/g, '');
    await secured.getByLabel('Code').pressSequentially(codeOf(secret));
    await acts.press('Turn on', secured);
    await acts.said('Two-factor login is on');
    await acts.at('shop');
    await region(acts).getByText('5 of 6 done').waitFor();
    expect(acts.faults()).toEqual([]);
    await acts.page.context().close();
  });

  it('tell those who only belong to an organization nothing of the shop', async () => {
    const account = await signUp(scene.app);
    const acts = new Acts(await scene.signIn(account), scene.app);
    await acts.at('scanning/new');
    await region(acts).getByText('0 of 4 done').waitFor();
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

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertAdmin, newUsername, signUp } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import type { ReceivedMail } from '../support/received-mail.js';
import { startPlainWayScene, signInAt, type WayScene } from './way-scene.js';

let server: MailServer;
let scene: WayScene;

beforeAll(async () => {
  server = await startMailServer();
  scene = await startPlainWayScene({ env: server.env, jobs: true });
});
afterAll(async () => {
  await scene?.close();
  await server?.close();
});

/** Opens the link of a mail that leads to this page, as its reader does. */
async function follow(page: Page, mail: ReceivedMail, path: string): Promise<void> {
  const link = mail.links.find((one) => new URL(one).pathname === path);
  expect([mail.subject, link]).toEqual([mail.subject, expect.stringContaining(scene.app.baseUrl)]);
  expect(mail.html).toContain(path);
  await page.goto(link ?? '');
}

const isVerified = async (token: string) =>
  (await scene.app.api.get<{ email_verified: boolean }>('/api/v1/users/me/profile', { token })).body.email_verified;

describe('A mail leads to the shop front', () => {
  it('to confirm an address, by a button and not by opening the page', async () => {
    const { email, token } = await signUp(scene.app);
    const page = await scene.visit();
    await follow(page, await server.mailTo(email, 'Welcome'), '/confirm');
    await page.getByRole('heading', { level: 1, name: 'Confirm your address' }).waitFor();
    expect(await isVerified(token)).toBe(false);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your e-mail address is confirmed.').waitFor();
    expect(await isVerified(token)).toBe(true);
    await page.goto((await server.mailTo(email, 'Welcome')).links[0] ?? '');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('This link has ended or was used.').waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });

  it('to set a new password, in German and without JavaScript too', async () => {
    const { username, email, token } = await signUp(scene.app);
    const page = await scene.visit({ javaScriptEnabled: false, locale: 'de-DE' });
    await follow(page, await server.mailTo(email, 'Welcome'), '/confirm');
    await page.getByRole('button', { name: 'Bestätigen' }).click();
    await page.getByText('Ihre E-Mail-Adresse ist bestätigt.').waitFor();
    await page.goto('/reset');
    await page.getByLabel('E-Mail').fill(email);
    await page.getByRole('button', { name: 'Link schicken' }).click();
    await page.getByText('ist eine E-Mail mit einem Link unterwegs').waitFor();
    await follow(page, await server.mailTo(email, 'Set a new password'), '/reset');
    await page.getByLabel('Neues Passwort').fill('correct horse 8');
    await page.getByRole('button', { name: 'Passwort setzen' }).click();
    await page.getByText('Ihr neues Passwort gilt.').waitFor();
    expect((await scene.app.api.get('/api/v1/users/me/profile', { token })).status).toBe(401);
    await signInAt(page, { username, password: 'correct horse 8' });
    await page.getByRole('heading', { level: 1, name: `Hallo, ${username}` }).waitFor();
    await page.context().close();
  });

  it('to have an address back that somebody changed, and says what comes next', async () => {
    const { email, token } = await signUp(scene.app);
    const other = `${newUsername()}@example.com`;
    await scene.app.api.put('/api/v1/users/me/profile', { token, json: { email: other } });
    const page = await scene.visit();
    await follow(page, await server.mailTo(email, 'Your address was changed'), '/undo-email');
    await page.getByRole('button', { name: 'Restore it' }).click();
    await page.getByText('Your previous address is restored').waitFor();
    await follow(page, await server.mailTo(email, 'Your address was restored'), '/reset');
    await page.getByLabel('New password').fill('correct horse 8');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your new password is set.').waitFor();
    await page.context().close();
  });

  it('to its order, which asks for a login first and for nobody else’s', async () => {
    const customer = await signUp(scene.app);
    const { email } = customer;
    await scene.app.database.rows('UPDATE users SET email_verified = true WHERE id = $1', [customer.id]);
    await fillCart(scene.app, customer, [await insertProduct(scene.app, { name: 'Mailed lamp' })]);
    const { body: placed } = await checkout(scene.app.api, customer);
    const at = `/orders/${placed.id}`;
    const page = await scene.visit();
    await follow(page, await server.mailTo(email, `Your order ${placed.id}`), at);
    await signInAt(page, customer);
    await page.getByRole('heading', { level: 1, name: `Order ${placed.id}` }).waitFor();
    expect(new URL(page.url()).pathname).toBe(at);
    await page.getByText('Mailed lamp').first().waitFor();

    const { token } = await insertAdmin(scene.app);
    const path = `/api/v1/admin/orders/${placed.id}`;
    const headers = { 'idempotency-key': 'paid-by-mail' };
    const paid = await scene.app.api.post(`${path}/payments`, { token, json: { amount: placed.total_price }, headers });
    expect(paid.status).toBe(201);
    await follow(page, await server.mailTo(email, `Your order ${placed.id} is paid`), at);
    await page.getByText('Paid').first().waitFor();
    const shipped = await scene.app.api.put(`${path}/status?new_status=shipped`, { token });
    expect(shipped.status).toBe(200);
    await follow(page, await server.mailTo(email, `Your order ${placed.id} was shipped`), at);
    await page.getByText('On its way').first().waitFor();
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});

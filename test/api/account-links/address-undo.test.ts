import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUsername, signUp } from '../../support/accounts.js';
import { statusesOf } from '../../support/auth.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import type { ReceivedMail } from '../../support/received-mail.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const auth = '/api/v1/auth';
const profile = '/api/v1/users/me/profile';
const newAddress = (): string => `${newUsername()}@example.com`;

let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: server.env, jobs: true });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

function tokenOf({ links: [link = ''] }: ReceivedMail): string {
  return new URL(link).searchParams.get('token') ?? '';
}

const post = (path: string, json: object, api = app.api) =>
  api.post<{ code?: string; message?: string }>(`${auth}/${path}`, { json });
const linkTo = async (address: string, subject: string) => tokenOf(await server.mailTo(address, subject));
const changeTo = (token: string, email: string) =>
  app.api.put<{ email: string; email_verified: boolean }>(profile, { token, json: { email } });

async function subjectsTo(address: string): Promise<string[]> {
  await allMailsSent(app);
  return server.mailsTo(address).map(({ subject }) => subject);
}

/** An account whose address is confirmed. */
async function owner() {
  const account = await signUp(app);
  await post('email/confirm', { token: await linkTo(account.email, 'Welcome') });
  return account;
}

/** An account that somebody with its access token has moved to an address of theirs. */
async function stolen({ confirmed }: { confirmed: boolean }) {
  const account = await owner();
  const thief = newAddress();
  expect(await changeTo(account.token, thief)).toMatchObject({ status: 200, body: { email: thief } });
  const wayBack = await linkTo(account.email, 'Your address was changed');
  const confirmation = await linkTo(thief, 'confirm your address');
  if (confirmed) expect((await post('email/confirm', { token: confirmation })).status).toBe(200);
  return { ...account, thief, wayBack, confirmation };
}

async function addressOf(id: string) {
  const [row] = await app.database.rows(`SELECT email, email_verified, former_email FROM users WHERE id = $1`, [id]);
  return row;
}

describe('A new address', () => {
  it('gets no mail but the question whether it is right, until it is confirmed', async () => {
    const { email, thief, token } = await stolen({ confirmed: false });
    await post('password/forgot', { email: thief });
    expect(await subjectsTo(thief)).toEqual(['Please confirm your address', 'Please confirm your address first']);
    await post('password/forgot', { email });
    const link = await linkTo(email, 'new password');
    expect((await post('password/reset', { token: link, new_password: 'correct horse 8' })).status).toBe(200);
    expect((await app.api.get(profile, { token })).status).toBe(401);
  });

  it('ends with a reset by the confirmed one, links to it too', async () => {
    const { id, email, confirmation } = await stolen({ confirmed: false });
    await post('password/forgot', { email });
    await post('password/reset', { token: await linkTo(email, 'new password'), new_password: 'correct horse 8' });
    expect(await addressOf(id)).toEqual({ email, email_verified: true, former_email: null });
    expect((await post('email/confirm', { token: confirmation })).status).toBe(400);
  });

  it('that is the former one again needs no confirmation', async () => {
    const { id, email, token } = await stolen({ confirmed: false });
    expect((await changeTo(token, newAddress())).body.email_verified).toBe(false);
    expect((await changeTo(token, email)).body).toMatchObject({ email, email_verified: true });
    expect(await addressOf(id)).toMatchObject({ former_email: null });
  });

  it('is confirmed once by two who follow its link', async () => {
    const { confirmation, id, thief } = await stolen({ confirmed: false });
    const { api } = await app.anotherNode();
    const answers = [app.api, api].map((node) => post('email/confirm', { token: confirmation }, node));
    expect(await statusesOf(answers)).toEqual([200, 400]);
    expect(await addressOf(id)).toEqual({ email: thief, email_verified: true, former_email: null });
  });
});

describe('The link to the former address', () => {
  it.each([true, false])('takes the account back, the new one confirmed: %s', async (confirmed) => {
    const { id, email, thief, token, wayBack, confirmation } = await stolen({ confirmed });
    expect(await post('email/undo', { token: wayBack })).toMatchObject({ status: 200 });
    expect(await addressOf(id)).toEqual({ email, email_verified: true, former_email: null });
    expect((await app.api.get(profile, { token })).status).toBe(401);
    const password = await linkTo(email, 'Your address was restored');
    expect((await post('password/reset', { token: password, new_password: 'correct horse 8' })).status).toBe(200);
    expect((await post('email/undo', { token: wayBack })).body.code).toBe('link_ended');
    expect((await post('email/confirm', { token: confirmation })).status).toBe(400);
    expect((await subjectsTo(thief)).includes('Your account has its former address again')).toBe(confirmed);
  });

  it('outlives what was sent since: a further address has no way back to the one of the thief', async () => {
    const { id, email, thief, token, wayBack } = await stolen({ confirmed: true });
    const further = newAddress();
    await changeTo(token, further);
    const backToThief = await linkTo(thief, 'Your address was changed');
    expect((await post('email/undo', { token: wayBack })).status).toBe(200);
    expect((await post('email/undo', { token: backToThief })).status).toBe(400);
    expect(await addressOf(id)).toMatchObject({ email });
  });

  it('has the last word against a confirmation at the same moment, on two nodes', async () => {
    const { api } = await app.anotherNode();
    for (let n = 0; n < 5; n++) {
      const { id, email, wayBack, confirmation } = await stolen({ confirmed: false });
      const [undone] = await Promise.all([
        post('email/undo', { token: wayBack }),
        post('email/confirm', { token: confirmation }, api),
      ]);
      expect(undone.status).toBe(200);
      expect(await addressOf(id)).toEqual({ email, email_verified: true, former_email: null });
    }
  });

  it('serves one of two who follow it', async () => {
    const { wayBack } = await stolen({ confirmed: true });
    const { api } = await app.anotherNode();
    const answers = [app.api, api].map((node) => post('email/undo', { token: wayBack }, node));
    expect(await statusesOf(answers)).toEqual([200, 400]);
  });

  it('ends after seven days', async () => {
    const { id, wayBack } = await stolen({ confirmed: true });
    const [row] = await app.database.rows<{ days: string }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400) AS days
         FROM mail_tokens WHERE user_id = $1 AND purpose = 'undo'`,
      [id],
    );
    expect(Number(row?.days)).toBe(7);
    await app.database.rows(`UPDATE mail_tokens SET expires_at = now() WHERE user_id = $1`, [id]);
    expect((await post('email/undo', { token: wayBack })).body.code).toBe('link_ended');
  });

  it('is a page with a button', async () => {
    const { id, email, wayBack } = await stolen({ confirmed: true });
    const mail = await server.mailTo(email, 'Your address was changed');
    const page = new URL(mail.links[0] ?? '');
    expect(page.pathname).toBe('/account/undo-email');
    expect((await app.api.get<string>(page.pathname + page.search)).body).toContain('Restore it');
    expect(await addressOf(id)).not.toMatchObject({ email });
    const pressed = await app.api.post<string>('/account/undo-email', { raw: new URLSearchParams({ token: wayBack }) });
    expect(pressed.body).toContain('The address is restored');
  });

  it('keeps the address from others meanwhile, who could keep the owner out by registering with it', async () => {
    const { email, wayBack } = await stolen({ confirmed: true });
    const json = { username: newUsername(), email: email.toUpperCase(), password: 'correct horse 7' };
    expect(await post('register', json)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    const other = await signUp(app);
    expect(await changeTo(other.token, email)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    expect((await app.api.get<{ email: string }>(profile, { token: other.token })).body.email).toBe(other.email);
    expect((await post('email/undo', { token: wayBack })).status).toBe(200);
  });

  it('goes to an address that was never confirmed too, whatever other mails were asked for before', async () => {
    const { id, email, token } = await signUp(app);
    for (let n = 0; n < 10; n++) await app.api.post(`${auth}/email/resend`, { token });
    await changeTo(token, newAddress());
    expect((await post('email/undo', { token: await linkTo(email, 'Your address was changed') })).status).toBe(200);
    expect(await addressOf(id)).toEqual({ email, email_verified: true, former_email: null });
  });

  it('goes to each address of many once, and never without end', async () => {
    const { token } = await signUp(app);
    const addresses = Array.from({ length: 20 }, newAddress);
    for (const email of addresses) await changeTo(token, email);
    await allMailsSent(app);
    const mails = addresses.flatMap((address) => server.mailsTo(address));
    expect(mails.length).toBeLessThanOrEqual(21);
  });
});

describe('A forgotten password of an account whose address was never confirmed', () => {
  it('takes a confirmation first', async () => {
    const { email } = await signUp(app);
    await post('password/forgot', { email });
    const confirmation = await linkTo(email, 'confirm your address first');
    expect(await subjectsTo(email)).not.toContain('Set a new password');
    expect((await post('email/confirm', { token: confirmation })).status).toBe(200);
    await post('password/forgot', { email });
    const token = await linkTo(email, 'Set a new password');
    expect((await post('password/reset', { token, new_password: 'correct horse 8' })).status).toBe(200);
  });
});

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser, newUsername, signIn, signUp } from '../../support/accounts.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import type { ReceivedMail } from '../../support/received-mail.js';
import { until } from '../../support/receiver.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const auth = '/api/v1/auth';
const profile = '/api/v1/users/me/profile';

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

const mailTo = (address: string, subject: string) => server.mailTo(address, subject);

function tokenOf({ links: [link = ''] }: ReceivedMail): string {
  return new URL(link).searchParams.get('token') ?? '';
}

const forgot = (email: string) => app.api.post<object>(`${auth}/password/forgot`, { json: { email } });
const reset = (token: string, new_password = 'correct horse 8') =>
  app.api.post<{ code?: string }>(`${auth}/password/reset`, { json: { token, new_password } });
const confirm = (token: string) => app.api.post<{ code?: string }>(`${auth}/email/confirm`, { json: { token } });

/** How many transactions PostgreSQL has ended because of a deadlock. */
async function deadlocks(): Promise<number> {
  const [row] = await app.database.rows<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.deadlocks);
}

/** Registers an account and returns it with the token of its welcome mail. */
async function welcomed() {
  const account = await signUp(app);
  const token = tokenOf(await mailTo(account.email, 'Welcome'));
  return { ...account, confirmation: token };
}

/** Such an account whose address is confirmed. */
async function confirmed() {
  const account = await welcomed();
  await confirm(account.confirmation);
  return account;
}

async function isVerified(token: string): Promise<boolean> {
  return (await app.api.get<{ email_verified: boolean }>(profile, { token })).body.email_verified;
}

describe('Confirming an address', () => {
  it('accepts the link of the welcome mail once', async () => {
    const { token, confirmation } = await welcomed();
    expect(await isVerified(token)).toBe(false);
    expect(await confirm(confirmation)).toMatchObject({ status: 200 });
    expect(await isVerified(token)).toBe(true);
    expect(await confirm(confirmation)).toMatchObject({ status: 400, body: { code: 'link_ended' } });
  });

  it('sends another link on demand until the address is confirmed, up to a limit', async () => {
    const { token, email } = await welcomed();
    const resend = () => app.api.post<{ code?: string }>(`${auth}/email/resend`, { token });
    expect((await resend()).status).toBe(202);
    const link = tokenOf(await mailTo(email, 'confirm your address'));
    for (let n = 1; n < 10; n++) expect((await resend()).status).toBe(202);
    expect(await resend()).toMatchObject({ status: 429, body: { code: 'rate_exceeded' } });
    await confirm(link);
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'already_confirmed' } });
  });

  it('is due again after a change of the address, which mails both addresses', async () => {
    const { token, email, confirmation } = await welcomed();
    await confirm(confirmation);
    const other = `${newUsername()}@example.com`;
    await forgot(email);
    const formerLink = tokenOf(await mailTo(email, 'new password'));
    expect(await app.api.put(profile, { token, json: { email: other } })).toMatchObject({
      status: 200,
      body: { email: other, email_verified: false },
    });
    await mailTo(email, 'Your address was changed');
    expect((await reset(formerLink)).status).toBe(400);
    await confirm(tokenOf(await mailTo(other, 'confirm your address')));
    expect(await isVerified(token)).toBe(true);
    await app.api.put(profile, { token, json: { email: other.toUpperCase(), bio: 'louder' } });
    expect(await isVerified(token)).toBe(true);
  });

  it('is visible only to the owner and to admins', async () => {
    const { id } = await insertUser(app);
    expect((await app.api.get(`/api/v1/users/${id}`)).body).not.toHaveProperty('email_verified');
  });
});

describe('A forgotten password', () => {
  it('is reset by the link, which ends all tokens, keeps two-factor login, and mails the owner', async () => {
    const { username, email, token, id } = await confirmed();
    await app.database.rows(`UPDATE users SET totp_secret = 'kept', totp_enabled = true WHERE id = $1`, [id]);
    expect((await forgot(email.toUpperCase())).status).toBe(202);
    const link = tokenOf(await mailTo(email, 'new password'));
    expect((await reset(link)).status).toBe(200);
    expect((await app.api.get(profile, { token })).status).toBe(401);
    await mailTo(email, 'Your password was changed');
    const json = { username, password: 'correct horse 8' };
    expect((await app.api.post(`${auth}/login`, { json })).body).toMatchObject({ requires_totp: true });
    expect(await reset(link)).toMatchObject({ status: 400, body: { code: 'link_ended' } });
  });

  it('gets the same response whether or not the account exists', async () => {
    const known = await insertUser(app);
    const unknown = `${newUsername()}@example.com`;
    const [first, second] = [await forgot(known.email), await forgot(unknown)];
    expect(first.status).toBe(202);
    expect(second).toMatchObject({ status: 202, body: first.body });
    await allMailsSent(app);
    expect([server.mailsTo(known.email).length, server.mailsTo(unknown).length]).toEqual([1, 0]);
  });

  it('takes the same statements whether or not the account exists', async () => {
    const idle = await startTestApp({ env: server.env });
    const { email } = await insertUser(idle);
    const ask = (json: object) => statementsOf(() => idle.api.post(`${auth}/password/forgot`, { json }));
    expect(await ask({ email: `${newUsername()}@example.com` })).toEqual(await ask({ email }));
    const sizes = await idle.database.rows<{ task: string }>(
      `SELECT task_identifier AS task FROM graphile_worker.jobs`,
    );
    expect(sizes.filter(({ task }) => task === 'forgotten-password')).toHaveLength(2);
    await idle.close();
  });

  it('succeeds once when 20 requests use one link concurrently', async () => {
    const { username, email } = await confirmed();
    await forgot(email);
    const link = tokenOf(await mailTo(email, 'new password'));
    const passwords = Array.from({ length: 20 }, (_, n) => `correct horse ${n + 10}`);
    const answers = await Promise.all(passwords.map((password) => reset(link, password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'link_ended')).toHaveLength(19);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    await expect(signIn(app, username, winner)).resolves.toEqual(expect.any(String));
  });

  it('sends an account no more mails an hour than its limit', async () => {
    const { email } = await insertUser(app);
    for (let n = 0; n < 12; n++) expect((await forgot(email)).status).toBe(202);
    await allMailsSent(app);
    expect(server.mailsTo(email)).toHaveLength(10);
  });

  it('succeeds once when all links of an account are used concurrently, and none of them works again', async () => {
    const { username, email } = await confirmed();
    for (let n = 0; n < 6; n++) await forgot(email);
    await allMailsSent(app);
    const links = server.mailsTo(email).filter(({ subject }) => subject.includes('new password'));
    const tokens = links.map(tokenOf);
    expect(new Set(tokens).size).toBe(6);
    const before = await deadlocks();
    const answers = await Promise.all(tokens.map((token, n) => reset(token, `correct horse ${n + 10}`)));
    expect(await deadlocks()).toBe(before);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 400, 400, 400, 400, 400,
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    await expect(signIn(app, username, `correct horse ${winner + 10}`)).resolves.toEqual(expect.any(String));
    for (const token of tokens) expect((await reset(token)).status).toBe(400);
  });

  it('refuses an expired link and one from before a change of the password', async () => {
    const { email, token, password } = await confirmed();
    await forgot(email);
    const link = tokenOf(await mailTo(email, 'new password'));
    await app.database.rows(`UPDATE mail_tokens SET expires_at = now() - interval '1 second' WHERE purpose = 'reset'`);
    expect((await reset(link)).status).toBe(400);
    await forgot(email);
    await allMailsSent(app);
    const other = tokenOf(await mailTo(email, 'new password'));
    const json = { current_password: password, new_password: 'correct horse 9' };
    expect((await app.api.post(`${auth}/password`, { token, json })).status).toBe(200);
    expect((await reset(other)).status).toBe(400);
  });

  it('stores no token or address in clear, and sweeps expired ones', async () => {
    const { email } = await confirmed();
    server.always = { at: 'recipient', does: 451 };
    await forgot(email);
    await until(
      async () => (await app.database.rows(`SELECT FROM graphile_worker.jobs WHERE attempts > 0`)).length > 0,
    );
    const kept = await app.database.rows(
      `SELECT payload::text AS kept FROM graphile_worker._private_jobs UNION ALL SELECT token_hash FROM mail_tokens`,
    );
    expect(JSON.stringify(kept)).not.toContain(email);
    server.always = undefined;
    await app.database.rows(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0`);
    const link = tokenOf(await mailTo(email, 'new password'));
    expect(JSON.stringify(kept)).not.toContain(link);
    await app.database.rows(`UPDATE mail_tokens SET expires_at = now() - interval '1 second'`);
    // Each new token sweeps twenty.
    await welcomed();
    await welcomed();
    expect(await app.database.rows(`SELECT FROM mail_tokens WHERE expires_at < now()`)).toEqual([]);
  });
});

describe('A mail to an account', () => {
  it('turns nothing that a stranger may have chosen into a link, and links to this service whatever the Host header', async () => {
    const username = `www.evil-${newUsername()}.example`;
    const email = `${newUsername()}@example.com`;
    const other = `${newUsername()}@example.com`;
    const { token, password } = await signUp(app, { username, email });
    const login = { json: { username, password }, headers: { 'user-agent': `${username}/1` } };
    await app.api.post(`${auth}/login`, login);
    await askAsOtherHost(email);
    await allMailsSent(app);
    await app.api.put(profile, { token, json: { email: other } });
    await allMailsSent(app);
    await app.api.delete(profile, { token });
    await allMailsSent(app);
    const mails = [...server.mailsTo(email), ...server.mailsTo(other)];
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'A new device has signed in to your account',
      'Please confirm your address',
      'Please confirm your address first',
      'Welcome to Harbour Outfitters',
      'Your account was deleted',
      'Your address was changed',
    ]);
    for (const { text, html, links } of mails) {
      for (const shown of [text, html]) expect(shown).not.toMatch(/evil-\S*\.example|www\.evil/);
      for (const link of links) expect(link).toContain(`${app.baseUrl}/account/`);
    }
  });
});

/** Requests a new password with headers that try to lead the link elsewhere. */
async function askAsOtherHost(email: string): Promise<void> {
  const host = 'www.evil-host.example';
  const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'https', forwarded: `host=${host}` };
  const body = JSON.stringify({ email });
  const sent = request(`${app.baseUrl}${auth}/password/forgot`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  const [answer] = (await once(sent.end(body), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(202);
  answer.resume();
}

describe('The deletion of an account', () => {
  it('invalidates its links and mails its owner', async () => {
    const { email, token, confirmation } = await welcomed();
    await app.api.delete(profile, { token });
    await mailTo(email, 'Your account was deleted');
    expect((await confirm(confirmation)).status).toBe(400);
  });
});

describe('The pages of links', () => {
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${app.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(fields) });

  it('change nothing when opened, and act when their button is pressed', async () => {
    const { username, token, email } = await welcomed();
    const link = (await mailTo(email, 'Welcome')).links[0] ?? '';
    const looked = await fetch(link);
    expect(looked.status).toBe(200);
    expect(looked.headers.get('content-security-policy')).not.toMatch(/unsafe|script/);
    expect(looked.headers.get('referrer-policy')).toBe('no-referrer');
    expect(looked.headers.get('cache-control')).toBe('no-store');
    expect(await looked.text()).toContain('<form method="post" action="confirm">');
    expect(await isVerified(token)).toBe(false);
    expect((await form('/account/confirm', { token: new URL(link).searchParams.get('token') ?? '' })).status).toBe(200);
    expect(await isVerified(token)).toBe(true);

    await forgot(email);
    const secret = tokenOf(await mailTo(email, 'new password'));
    const short = await form('/account/reset', { token: secret, new_password: 'short' });
    expect(short.status).toBe(422);
    expect(await short.text()).toContain(`value="${secret}"`);
    const done = await form('/account/reset', { token: secret, new_password: 'correct horse 8' });
    expect(done.status).toBe(200);
    await expect(signIn(app, username, 'correct horse 8')).resolves.toEqual(expect.any(String));
    expect((await form('/account/reset', { token: secret, new_password: 'correct horse 9' })).status).toBe(400);
  });

  it('escape markup from the link, and refuse a form that is too large', async () => {
    const page = await fetch(`${app.baseUrl}/account/reset?token=${encodeURIComponent('"><script>1</script>')}`);
    expect(await page.text()).not.toContain('<script>');
    expect((await form('/account/confirm', { token: 'x'.repeat(5_000) })).status).toBe(413);
    expect((await form('/account/confirm', {})).status).toBe(422);
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DemoDataService } from '../../../src/demo/demo-data.service.js';
import { DemoUpkeepService } from '../../../src/demo/demo-upkeep.service.js';
import { DemoDirectoryService } from '../../../src/demo/demo-directory.service.js';
import { FirstAdminService } from '../../../src/store/accounts/first-admin.service.js';
import { MailTokensService } from '../../../src/store/account-mail/mail-tokens.service.js';
import { type DocumentedOperation, documentedOperations, exampleAddress } from '../../support/documented-operations.js';
import type { ApiRequest } from '../../support/api-client.js';
import { codeOf } from '../../support/one-time-codes.js';
import { makePicture } from '../../support/pictures.js';
import { giveUpJob, noteRequest } from '../../support/operation-traces.js';
import { OidcServer } from '../../support/oidc-server.js';
import { startTestApp } from '../../support/test-app.js';

const admin = { username: 'admin', email: 'admin@example.com', password: 'correct-horse-7' };
const demo = { username: 'demo', password: 'demo-shopper-1' };

const provider = await OidcServer.start();
const app = await startTestApp({
  env: {
    ...provider.env,
    DEMO_DATA: 'true',
    EGRESS_ALLOW: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: '3600',
    // One account runs all examples, and is told of each factor and key that they change.
    QUOTAS: 'account-mails=1000',
  },
  jobs: true,
});
await app.nest.get(DemoDataService).loadOnce();
await app.nest.get(FirstAdminService).ensure(admin);
const key = (await app.nest.get(DemoUpkeepService).openOrganization()) ?? '';

/** Stands in for https://example.com, from which the examples fetch pages and pictures. */
const elsewhere = createServer((request, response) => {
  const picture = request.url?.endsWith('.jpg') ?? false;
  response.setHeader('Content-Type', picture ? 'image/jpeg' : 'text/html');
  if (picture) void makePicture('jpeg').then((bytes) => response.end(bytes));
  else response.end('<title>Example Domain</title>');
});
await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
provider.register(app.baseUrl);
const nearUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
const farUrl = 'https://example.com/';

afterAll(async () => {
  elsewhere.close();
  await app.close();
  await provider.close();
});

interface Answer {
  [field: string]: unknown;
}

const tokens = new Map<string, string>();

/** A token that the service honors: a login takes as long as fifty other calls. */
async function tokenOf(login: { username: string; password: string }): Promise<string> {
  const known = tokens.get(login.username);
  if (known !== undefined && (await app.api.get('/api/v1/auth/me', { token: known })).status === 200) return known;
  const { body } = await app.api.post<{ access_token: string }>('/api/v1/auth/login', { json: login });
  tokens.set(login.username, body.access_token);
  return body.access_token;
}

/** Credentials for the security that the operation lists first: the demo's shopper, an admin, or the first key. */
async function credentials({ security, adminOnly }: DocumentedOperation): Promise<Record<string, string>> {
  if (security.some((one) => 'apiKey' in one)) return { 'X-API-Key': key };
  if (!security.some((one) => 'bearer' in one)) return {};
  return { Authorization: `Bearer ${await tokenOf(adminOnly ? admin : demo)}` };
}

/** The example body with `live` values in it; for operations that only take files, a form with a picture. */
async function bodyOf({ body }: DocumentedOperation, live: Answer): Promise<ApiRequest> {
  if (!body) return {};
  const json = body['application/json'];
  if (json) return { json: Array.isArray(json.example) ? json.example : { ...(json.example as Answer), ...live } };
  const csv = body['text/csv'];
  if (csv) return { raw: String(csv.example), headers: { 'content-type': 'text/csv' } };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await makePicture('png'))]), 'picture.png');
  return { raw: form };
}

/** Sends the example of an operation as it stands, save for `live` values in its body; fails when refused. */
async function send(name: string, live: Answer = {}, headers?: Record<string, string>): Promise<Answer> {
  const operation = (await documentedOperations(app.api)).get(name);
  if (!operation) throw new Error(`/openapi.json has no ${name}`);
  const address = exampleAddress(operation).replace(encodeURIComponent(farUrl), encodeURIComponent(nearUrl));
  const sent = await bodyOf(operation, live);
  const request = { ...sent, headers: { ...sent.headers, ...(headers ?? (await credentials(operation))) } };
  const { status, body } = await app.api.send<Answer>(operation.method, address, request);
  if (status !== operation.success)
    throw new Error(`${status} instead of ${operation.success}: ${JSON.stringify(body)}`);
  return body;
}

const fillCart = () => send('POST /api/v1/cart/add');

/** What an operation needs beyond the demo data; the examples of other operations make it. */
const preparations: Record<string, () => Promise<unknown>> = {
  'POST /api/v1/orders/': fillCart,
  'POST /api/v1/orders/checkout': fillCart,
  'PUT /api/v1/cart/items/{item_id}': fillCart,
  'DELETE /api/v1/cart/items/{item_id}': fillCart,
  'DELETE /api/v1/uploads/{kind}/{filename}': uploadByName,
  'POST /api/v1/users/me/invitations/{invitationId}/decline': inviteAgain,
  'DELETE /api/v1/users/me/sessions/{session_id}': signInByName,
  'POST /api/v1/admin/users/{user_uuid}/totp/reset': () =>
    app.database.rows(
      `UPDATE users SET totp_secret = 'x', totp_enabled = true WHERE role <> 'admin' AND username <> $1`,
      [demo.username],
    ),
  'DELETE /api/v1/users/me/provider-links/{link_id}': linkById,
  'DELETE /api/v1/admin/keys/{key_id}': makeKeyById,
  'DELETE /api/v1/admin/views/{view_id}': makeViewById,
  'GET /api/v1/admin/requests/{request_id}': () => noteRequest(app, 'price-cut-1'),
  'POST /api/v1/admin/operation/queues/{task}/retry': () => giveUpJob(app, 'mail'),
  'POST /api/v1/admin/operation/queues/{task}/drop': () => giveUpJob(app, 'mail'),
  'GET /api/v1/admin/categories/{slug}': makeCategory,
  'PATCH /api/v1/admin/categories/{slug}': makeCategory,
  'DELETE /api/v1/admin/categories/{slug}': makeCategory,
  'POST /api/v1/admin/categories': () => app.database.rows(`DELETE FROM categories WHERE slug = 'summer-sale'`),
  'GET /api/v1/imports/{id}/issues': keepList,
  'GET /api/v1/deliveries/{id}': deliver,
  'GET /api/v1/deliveries/{id}/payload': deliver,
  'POST /api/v1/deliveries/{id}/replay': deliver,
};

/** Links the demo's account by the id that the examples name. */
async function linkById(): Promise<void> {
  await app.database.rows(
    `INSERT INTO oidc_identities (id, user_id, issuer, subject)
     SELECT '0199a001-0000-7000-8000-000000000021', id, 'https://login.example.com', 'maria' FROM users WHERE username = $1
     ON CONFLICT DO NOTHING`,
    [demo.username],
  );
}

/** Makes the category that the examples name. */
async function makeCategory(): Promise<void> {
  await app.database.rows(
    `INSERT INTO categories (slug, name) VALUES ('summer-sale', 'Summer Sale') ON CONFLICT DO NOTHING`,
  );
}

/** Keeps a list of issues under the id of the demo's scan, as an import with list=true does under its own. */
async function keepList(): Promise<void> {
  const operation = (await documentedOperations(app.api)).get('GET /api/v1/imports/{id}/issues');
  const id = operation && exampleAddress(operation).split('/').at(-2);
  await app.database.rows(
    `INSERT INTO import_pages (organization_id, import_id, page, issues)
     SELECT organization_id, id, 0, '[]' FROM scans WHERE id = $1`,
    [id],
  );
}

/** Uploads the example picture, and renames it to the name in the example of its deletion. */
async function uploadByName(): Promise<void> {
  const { filename } = await send('POST /api/v1/uploads/general');
  const operation = (await documentedOperations(app.api)).get('DELETE /api/v1/uploads/{kind}/{filename}');
  const name = operation && exampleAddress(operation).split('/').at(-1);
  await app.database.rows('UPDATE uploads SET filename = $1 WHERE filename = $2', [name, filename]);
}

/** Makes the example key, and gives it the id in the example of its revocation. */
async function makeKeyById(): Promise<void> {
  const { id } = await send('POST /api/v1/admin/keys');
  const operation = (await documentedOperations(app.api)).get('DELETE /api/v1/admin/keys/{key_id}');
  await app.database.rows('UPDATE shop_keys SET id = $1 WHERE id = $2', [
    operation && exampleAddress(operation).split('/').at(-1),
    id,
  ]);
}

/** Saves the example view, and gives it the id in the example of its deletion. */
async function makeViewById(): Promise<void> {
  await app.database.rows('DELETE FROM shop_views');
  const { id } = await send('POST /api/v1/admin/views');
  const operation = (await documentedOperations(app.api)).get('DELETE /api/v1/admin/views/{view_id}');
  await app.database.rows('UPDATE shop_views SET id = $1 WHERE id = $2', [
    operation && exampleAddress(operation).split('/').at(-1),
    id,
  ]);
}

/** The demo has one invitation for the shopper, which the example of accepting uses up. */
async function inviteAgain(): Promise<void> {
  await app.database.rows(
    `INSERT INTO organization_invitations (id, organization_id, user_id, role, expires_at)
     SELECT gen_random_uuid(), organizations.id, users.id, 'viewer', '2999-01-01' FROM organizations, users
      WHERE organizations.name = 'Tidewater Analytics' AND username = $1`,
    [demo.username],
  );
}

/** Signs in, and gives the session the id in the example of ending it. */
async function signInByName(): Promise<void> {
  await send('POST /api/v1/auth/login');
  const operation = (await documentedOperations(app.api)).get('DELETE /api/v1/users/me/sessions/{session_id}');
  const id = operation && exampleAddress(operation).split('/').at(-1);
  await app.database.rows('UPDATE sessions SET id = $1 WHERE id = (SELECT max(id::text)::uuid FROM sessions)', [id]);
}

/** Sends the example of an operation with the refresh token of a login. */
async function withRefreshToken(name: string): Promise<void> {
  const { refresh_token } = await send('POST /api/v1/auth/login');
  await send(name, { refresh_token });
}

const pendingRuns = `workflow_runs WHERE status = 'PENDING'`;
const underWay = `webhook_deliveries WHERE status = 'PENDING' OR claimed_by IS NOT NULL`;

/** Runs the example workflow and waits until its delivery has failed: nobody listens at its address. */
async function deliver(): Promise<void> {
  const exist = async (rows: string) => (await app.database.rows(`SELECT FROM ${rows} LIMIT 1`)).length > 0;
  if (!(await exist('webhook_deliveries'))) await send('POST /api/v1/workflows/{id}/run');
  await until(
    async () => (await exist('webhook_deliveries')) && !(await exist(pendingRuns)) && !(await exist(underWay)),
  );
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let patience = 300; !(await condition()); patience--) {
    if (patience === 0) throw new Error('It did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Values known only at run time: codes of an authenticator app, the token between two steps, addresses elsewhere. */
const scenes: Record<string, () => Promise<unknown>> = {
  'POST /api/v1/totp/verify': async () => {
    const { secret } = await send('GET /api/v1/totp/setup');
    await send('POST /api/v1/totp/verify', { token: codeOf(String(secret)) });
  },
  'POST /api/v1/auth/refresh': () => withRefreshToken('POST /api/v1/auth/refresh'),
  'POST /api/v1/auth/logout': () => withRefreshToken('POST /api/v1/auth/logout'),
  'POST /api/v1/totp/enable': () => withTwoFactor(),
  'POST /api/v1/totp/disable': () => withTwoFactor(),
  'POST /api/v1/totp/recovery-codes': () =>
    withTwoFactor((_, code, headers) => send('POST /api/v1/totp/recovery-codes', code(), headers)),
  'POST /api/v1/auth/login/totp': () =>
    withTwoFactor(async (recoveryCode) => {
      const { temp_token } = await send('POST /api/v1/auth/login');
      await send('POST /api/v1/auth/login/totp', { temp_token, totp_code: recoveryCode });
    }),
  'POST /api/v1/auth/oidc/finish': async () =>
    send('POST /api/v1/auth/oidc/finish', await answered(await send('POST /api/v1/auth/oidc/start'), 'example-one')),
  'POST /api/v1/users/me/provider-links': async () => {
    const headers = { Authorization: `Bearer ${await tokenOf(demo)}` };
    const begun = await send('POST /api/v1/users/me/provider-links/start', {}, headers);
    await send('POST /api/v1/users/me/provider-links', await answered(begun, 'example-two'), headers);
  },
  'POST /api/v1/auth/oidc/device/finish': async () => {
    const { login_token, verification_uri_complete } = await send('POST /api/v1/auth/oidc/device');
    await provider.confirmDevice(String(verification_uri_complete), userOfProvider('example-three'));
    await app.database.rows('UPDATE oidc_logins SET next_poll_at = now()');
    await send('POST /api/v1/auth/oidc/device/finish', { login_token });
  },
  'POST /api/v1/auth/email/confirm': async () =>
    send('POST /api/v1/auth/email/confirm', { token: await linkTokenOf('confirm') }),
  'POST /api/v1/auth/email/undo': async () =>
    send('POST /api/v1/auth/email/undo', { token: await linkTokenOf('undo') }),
  'POST /api/v1/auth/email/resend': async () => {
    await app.database.rows(`UPDATE users SET email_verified = false`);
    await send('POST /api/v1/auth/email/resend');
  },
  'POST /api/v1/auth/password/reset': async () => {
    await app.database.rows(`UPDATE users SET email_verified = true`);
    const token = await linkTokenOf('reset');
    await send('POST /api/v1/auth/password/reset', { token, new_password: demo.password });
  },
  'POST /api/v1/uploads/import-from-url': () =>
    send('POST /api/v1/uploads/import-from-url', { url: `${nearUrl}lamp.jpg` }),
};

function userOfProvider(sub: string): string {
  return provider.add({ sub, preferred_username: sub, email: `${sub}@company.example` });
}

/** What the provider answers to a sign-in that has begun. */
async function answered({ authorization_url, login_token }: Answer, sub: string): Promise<Answer> {
  const { searchParams } = await provider.visit(String(authorization_url), userOfProvider(sub));
  return { login_token, ...Object.fromEntries(searchParams) };
}

/** The token of a link that is mailed to the demo's shopper. */
async function linkTokenOf(purpose: 'confirm' | 'reset' | 'undo'): Promise<string> {
  const headers = { Authorization: `Bearer ${await tokenOf(demo)}` };
  const { id, email } = await send('GET /api/v1/auth/me', {}, headers);
  return (await app.nest.get(MailTokensService).issue(purpose, String(id), String(email))).token;
}

/** Enables two-factor login by its example, runs `work`, and disables it by the example of that. */
async function withTwoFactor(
  meanwhile?: (
    recoveryCode: unknown,
    code: () => { token: string },
    headers: Record<string, string>,
  ) => Promise<unknown>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${await tokenOf(demo)}` };
  const { secret } = await send('GET /api/v1/totp/setup', {}, headers);
  const code = () => ({ token: codeOf(String(secret)) });
  const { recovery_codes } = await send('POST /api/v1/totp/enable', code(), headers);
  await meanwhile?.((recovery_codes as unknown[])[0], code, headers);
  await send('POST /api/v1/totp/disable', code(), headers);
}

/** Operations that end something come after those that need it; the demo's account goes last. */
const late = ['POST /api/v1/scans/{id}/cancel', 'DELETE /api/v1/users/me/profile'];

function turnOf(name: string): number {
  return 10 * late.indexOf(name) + ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(name.split(' ')[0] ?? '');
}

const names = [...(await documentedOperations(app.api)).keys()].sort((one, other) => turnOf(one) - turnOf(other));

describe('An example of the interface description', () => {
  it('names a row of the demo for every id', async () => {
    const { values } = (await app.nest.get(DemoDirectoryService).find()) ?? {};
    const missing = Object.entries(values ?? {}).filter(([, value]) => value === null);
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it.each(names)('gets the promised response: %s', async (name) => {
    await preparations[name]?.();
    const scene = scenes[name];
    await (scene ? scene() : send(name));
  });
});

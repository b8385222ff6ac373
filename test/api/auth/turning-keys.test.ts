import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secrets } from '../../../src/config/secrets.js';
import { KeyCheck } from '../../../src/database/key-check.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { sealedColumns, sealedTasks } from '../../../src/platform/crypto/sealed-places.js';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { KeyRotation } from '../../../src/platform/key-rotation/key-rotation.js';
import { sealedBodyPlace } from '../../../src/scanning/webhook-export/delivery-bodies.js';
import { type Account, signUp } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, insertProduct } from '../../support/goods.js';
import { codeOf, enableTwoFactor, type TwoFactor } from '../../support/one-time-codes.js';
import { insertOrganization } from '../../support/organizations.js';
import { type Receiver, startReceiver, until } from '../../support/receiver.js';
import { makeResource } from '../../support/scanning.js';
import { StoreWebhookCalls } from '../../support/store-webhooks.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

const newSecret = () => randomBytes(32).toString('hex');
const old = new Secrets(newSecret(), randomBytes(32));
const [nextSecret, nextKey] = [newSecret(), randomBytes(32)];
const both = new Secrets(nextSecret, nextKey, { jwtSecrets: [old.jwtSecret], encryptionKeys: [old.encryptionKey] });
const next = new Secrets(nextSecret, nextKey);

type Sealed = Record<string, string>;

let app: TestApp;
let receiver: Receiver;
let maria: Account;
let factor: TwoFactor;
/** A node with the new keys first. */
let turned: Awaited<ReturnType<TestApp['anotherNode']>>;

/** Every sealed value of the database, opened by these keys. */
async function opened(secrets: Secrets): Promise<Record<string, Sealed>> {
  const box = new SecretBox(secrets);
  const found: Record<string, Sealed> = {};
  for (const { table, column, key, placeOf } of sealedColumns()) {
    const names = Object.keys(key);
    const rows = await app.database.rows<Record<string, string> & { sealed: string | Buffer }>(
      `SELECT ${names.join(', ')}, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    found[`${table}.${column}`] = Object.fromEntries(
      rows.map((row) => {
        const place = placeOf(...names.map((name) => row[name] ?? ''));
        const { sealed } = row;
        return [
          place,
          typeof sealed === 'string' ? box.open(sealed, place) : box.openBytes(sealed, place).toString('hex'),
        ];
      }),
    );
  }
  for (const { task, placeOf } of sealedTasks()) {
    const rows = await app.database.rows<{ payload: { sealed: string } }>(
      `SELECT j.payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE t.identifier = $1`,
      [task],
    );
    found[task] = Object.fromEntries(
      rows.map(({ payload }) => [placeOf(payload), box.open(payload.sealed, placeOf(payload))]),
    );
  }
  return found;
}

beforeAll(async () => {
  receiver = await startReceiver();
  app = await startTestApp({ secrets: old, jobs: true, env: { EGRESS_ALLOW: '127.0.0.1' } });
  await app.nest.get(KeyCheck).run();
  maria = await signUp(app);
  factor = await enableTwoFactor(app, maria.token);
  await (await StoreWebhookCalls.of(app)).made(receiver.url);
  await addToCart(app, maria, await insertProduct(app));
  await checkout(app.api, maria);
  const acme = await insertOrganization(app);
  await makeResource(app, acme, 'integrations', { name: 'one', kind: 'CUSTOM', parameters: { password: 'hidden' } });
  const calls = new WorkflowCalls(app, acme);
  const { id } = await calls.make(receiver.url);
  await calls.run(id);
  await receiver.has(2);
  const box = app.nest.get(SecretBox, { strict: false });
  await app.database.rows(`INSERT INTO service_state (key, value) VALUES ('of another kind', '"v1.stays"')`);
  const [delivery] = await app.database.rows<{ id: string }>('SELECT id FROM webhook_deliveries LIMIT 1');
  await app.database.rows('UPDATE webhook_deliveries SET body_sealed = $2 WHERE id = $1', [
    delivery?.id,
    box.seal('{"a":"body"}', sealedBodyPlace(delivery?.id ?? '')),
  ]);
  const tomorrow = new Date(Date.now() + 86_400_000);
  for (const { task, placeOf } of sealedTasks()) {
    const payload = { id: 'one', at: tomorrow.toISOString() };
    await app.nest
      .get(JobQueue)
      .add(task, { ...payload, sealed: box.seal(task, placeOf(payload)) }, { runAt: tomorrow });
  }
  turned = await app.anotherNode(both);
  await turned.nest.get(KeyCheck).run();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const reads = async (api: ApiClient, token: string) => (await api.get('/api/v1/auth/me', { token })).status;

/** The login with a password and a code at a node; its access token. */
async function signIn(api: ApiClient): Promise<string> {
  const { username, password } = maria;
  const begun = await api.post<{ temp_token: string }>('/api/v1/auth/login', { json: { username, password } });
  const json = { temp_token: begun.body.temp_token, totp_code: codeOf(factor.secret, 1) };
  return (await api.post<{ access_token: string }>('/api/v1/auth/login/totp', { json })).body.access_token;
}

describe('Nodes with a new key first', () => {
  it('take access tokens that the older key signed, and sign with the new one', async () => {
    expect(await reads(turned.api, maria.token)).toBe(200);
    const fresh = await turned.nest.get(KeyCheck).signsSince();
    expect(fresh.getTime()).toBeGreaterThan(Date.now() - 600_000);
    const token = await signIn(turned.api);
    expect(await reads(turned.api, token)).toBe(200);
    // The node with only the older key takes none of the new ones.
    expect(await reads(app.api, token)).toBe(401);
  });

  it('refuse tokens of keys that they do not have', async () => {
    const [header, claims] = maria.token.split('.');
    expect(await reads(turned.api, `${header}.${claims}.${'A'.repeat(43)}`)).toBe(401);
    const stranger = await app.anotherNode(new Secrets(newSecret(), nextKey, both.older));
    expect(await reads(stranger.api, maria.token)).toBe(200);
    const other = await app.anotherNode(new Secrets(newSecret(), nextKey));
    expect(await reads(other.api, maria.token)).toBe(401);
  });

  it('keep a node from starting that has only one of the two keys that encrypt', async () => {
    for (const secrets of [old, next]) {
      const node = await app.anotherNode(secrets);
      await expect(node.nest.get(KeyCheck).run()).rejects.toThrow(/another ENCRYPTION_KEY.*--rotate-keys/);
    }
  });
});

describe('The rotation of keys', () => {
  it('leaves nothing that the older key encrypted, and every value as it was', async () => {
    const before = await opened(both);
    // Something of every kind, so that none is forgotten here either.
    expect(Object.entries(before).filter(([, values]) => Object.keys(values).length === 0)).toEqual([]);
    const { isComplete, values } = await turned.nest.get(KeyRotation).run();
    expect([isComplete, values.filter(({ replaced, unopenable }) => replaced === 0 || unopenable > 0)]).toEqual([
      true,
      [],
    ]);
    expect(await opened(next)).toEqual(before);
    const node = await app.anotherNode(next);
    await node.nest.get(KeyCheck).run();
    // A code serves once, and the login before this one took the newest.
    await app.database.rows('UPDATE users SET totp_last_step = 0');
    expect(await reads(node.api, await signIn(node.api))).toBe(200);
  });

  it('finds every value in the database that looks encrypted', async () => {
    const texts = await app.database.rows<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'json', 'jsonb')`,
    );
    const known = new Set(sealedColumns().map(({ table, column }) => `${table}.${column}`));
    const found: string[] = [];
    for (const { table, column } of texts) {
      const sql = `SELECT 1 FROM ${table} WHERE ${column}::text ~ '^"?v1\\.[\\w-]{16}\\.[\\w-]{22}\\.' LIMIT 1`;
      if ((await app.database.rows(sql)).length > 0) found.push(`${table}.${column}`);
    }
    expect(found.filter((name) => !known.has(name))).toEqual(['service_state.value']);
    expect(found.length).toBeGreaterThan(5);
  });

  it('does nothing the second time', async () => {
    const { isComplete, values } = await turned.nest.get(KeyRotation).run();
    expect([isComplete, values.filter(({ replaced }) => replaced > 0)]).toEqual([true, []]);
  });

  it('tells of values that no key opens, and is not complete', async () => {
    const rows = await app.database.rows<{ id: string; was: string }>(
      'SELECT id, parameters_sealed AS was FROM integrations',
    );
    await app.database.rows('UPDATE integrations SET parameters_sealed = $1', ['v1.AAAA.AAAA.AAAA']);
    const { isComplete, values } = await turned.nest.get(KeyRotation).run();
    expect([isComplete, values.find(({ name }) => name === 'integrations.parameters_sealed')?.unopenable]).toEqual([
      false,
      1,
    ]);
    await app.database.rows('UPDATE integrations SET parameters_sealed = $1', [rows[0]?.was]);
  });

  it('loses nothing that two nodes write meanwhile', async () => {
    const acme = await insertOrganization(app);
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        makeResource<{ id: string }>(app, acme, 'integrations', {
          name: `many ${at}`,
          kind: 'CUSTOM',
          parameters: { at },
        }),
      ),
    );
    const said = new Map<string, number>();
    const ended = new AbortController();
    const write = async (api: ApiClient, own: { id: string }[]) => {
      for (let at = 0; !ended.signal.aborted; at++) {
        const { id = '' } = own[at % own.length] ?? {};
        const json = { parameters: { at, password: `secret ${at}` } };
        const { status } = await api.patch(`/api/v1/integrations/${id}`, { token: acme.admin.token, json });
        if (status === 200) said.set(id, at);
      }
    };
    // The one node still encrypts with the older key: the rotation is over when that has it last.
    const oldFirst = new Secrets(old.jwtSecret, old.encryptionKey, {
      jwtSecrets: [nextSecret],
      encryptionKeys: [nextKey],
    });
    const node = await app.anotherNode(oldFirst);
    const writers = [write(node.api, made.slice(0, 15)), write(node.api, made.slice(15))];
    const written = async () => {
      said.clear();
      await until(() => Promise.resolve(made.slice(0, 15).some(({ id }) => said.has(id))));
    };
    const during = await turned.nest
      .get(KeyRotation)
      .run(written)
      .finally(() => ended.abort());
    expect(during.isComplete).toBe(false);
    await Promise.all(writers);
    expect((await turned.nest.get(KeyRotation).run()).isComplete).toBe(true);
    const values = (await opened(next))['integrations.parameters_sealed'] ?? {};
    for (const [id, at] of said) expect(JSON.parse(values[`integration:${id}`] ?? '')).toMatchObject({ at });
    expect(said.size).toBeGreaterThan(0);
  });
});

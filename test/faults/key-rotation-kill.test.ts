import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secrets } from '../../src/config/secrets.js';
import { sealedColumns } from '../../src/platform/crypto/sealed-places.js';
import { SecretBox } from '../../src/platform/crypto/secret-box.js';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import '../../src/store/totp/totp.service.js';
import { WebhookSecrets } from '../../src/store/webhooks/webhook-secrets.js';
import '../support/built-service.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { projectRoot } from '../support/project-copy.js';
import { until } from '../support/receiver.js';
import { startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const [old, next, secret] = [randomBytes(32), randomBytes(32), 'j'.repeat(40)];
const listed = (...keys: Buffer[]) => ({ ENCRYPTION_KEY: keys.map((key) => key.toString('hex')).join(',') });
const boxOf = (key: Buffer) => new SecretBox(new Secrets('', key));
const webhookIds = Array.from({ length: 500 }, () => uuidV7());
const url = (id: string) => `https://receiver.example/${id}`;

/** A database with values that the old key has encrypted; each test gets a clone. */
const template = `template_keys_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'key-rotation-'));
  const service = await startServiceProcess({ ...own(), ...listed(old) });
  await service.stop();
  const webhooks = new WebhookSecrets(boxOf(old));
  await database.rows(
    `INSERT INTO store_webhooks (id, events, customer_data, enabled, parameters_sealed)
     SELECT id, '{order.placed}', false, false, sealed FROM unnest($1::uuid[], $2::text[]) AS made (id, sealed)`,
    [webhookIds, webhookIds.map((id) => webhooks.seal(id, { url: url(id), headers: [], secret: null }))],
  );
  const id = uuidV7();
  const place = sealedColumns()
    .find(({ table }) => table === 'users')
    ?.placeOf(id);
  await database.rows(
    `INSERT INTO users (id, username, email, password_hash, totp_secret) VALUES ($1, 'maria', 'maria@example.com', '', $2)`,
    [id, place && boxOf(old).seal('JBSWY3DPEHPK3PXP', place)],
  );
  await database.becomeTemplate(template);
});
beforeEach(async () => {
  database = await createTestDatabase(template);
});
afterEach(() => database.drop());
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const without = { DEMO_DATA: 'false', STOREFRONT: 'false', CONSOLE: 'false', DOCS: 'false' };
const own = () => ({ ...database.env, ...without, DATA_DIR: dataDir, LOG_LEVEL: 'error', JWT_SECRET: secret });

/** `npm start -- --rotate-keys`, with the new key first. */
function rotate(keys = listed(next, old)) {
  const child = spawn(process.execPath, ['scripts/start.mjs', '--rotate-keys'], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'] ?? '', ...own(), ...keys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()));
  return { child, ended: once(child, 'close').then(() => ({ code: child.exitCode, output })) };
}

async function openBy(key: Buffer): Promise<number> {
  const webhooks = new WebhookSecrets(boxOf(key));
  const rows = await database.rows<{ id: string; sealed: string }>(
    'SELECT id, parameters_sealed AS sealed FROM store_webhooks',
  );
  const fits = ({ id, sealed }: { id: string; sealed: string }): boolean => {
    try {
      return webhooks.open(id, sealed).url === url(id);
    } catch {
      return false;
    }
  };
  return rows.filter(fits).length;
}

describe('npm start -- --rotate-keys', () => {
  it('leaves the old key in use where it is killed; is whole the next time, and says which key can be removed', async () => {
    // It waits for this table in the middle of its work.
    const held = await HeldTransaction.open(database, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const killed = rotate();
    await until(async () => (await openBy(next)) === webhookIds.length, 'the first column');
    await held.blocks(1);
    killed.child.kill('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    await held.commit();

    // A part of it is done: a node needs both keys.
    await expect(startServiceProcess({ ...own(), ...listed(next) })).rejects.toThrow('ENCRYPTION_KEY=NEW,OLD');

    const { code, output } = await rotate().ended;
    expect(output).toContain('users.totp_secret: 1 encrypted anew');
    expect(output).toContain('everything is encrypted with the first key. Remove the second key, on every node');
    expect(output).toContain('JWT_SECRET has one key');
    expect([code, await openBy(next)]).toEqual([0, webhookIds.length]);

    await expect(startServiceProcess({ ...own(), ...listed(old) })).rejects.toThrow('another ENCRYPTION_KEY');
  });

  it('fails with a sentence where a value opens by no key', async () => {
    await database.rows(`UPDATE store_webhooks SET parameters_sealed = 'v1.A.A.A' WHERE id = $1`, [webhookIds[0]]);
    const { code, output } = await rotate(listed(old)).ended;
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('no key of ENCRYPTION_KEY opens: store_webhooks.parameters_sealed (1)'),
    ]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedUser, insertAdmin } from '../support/accounts.js';
import { type Operation, Operations } from '../support/operations.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const patienceMs = 6_000;
/**
 * A transaction is given up after ten seconds of silence, what waits for one thing after another takes twice the patience, and
 * a busy machine its time. TCP itself would give up after a quarter of an hour.
 */
const tooLongMs = 30_000;

let app: TestApp;
let way: TcpProxy;
let admin: InsertedUser;
let organizationId: string;
let operations: Operations;
beforeAll(async () => {
  app = await startTestApp({
    env: {
      RESPONSE_CACHE_MB: '0',
      DATABASE_PATIENCE_SECONDS: String(patienceMs / 1_000),
      MAX_CONNECTIONS: '1000',
    },
    reachDatabase: async (url) => {
      const reached = new URL(url);
      way = await startTcpProxy(Number(reached.port));
      reached.port = String(way.port);
      return reached.href;
    },
  });
  admin = await insertAdmin(app);
  const acme = await insertOrganization(app);
  organizationId = acme.id;
  await insertMembership(app, acme.id, admin.id, 'admin');
  operations = await Operations.of(app, { organizationId: acme.id });
});
afterEach(() => way.silence(false));
afterAll(async () => {
  await app.close();
  await way.cut();
});

/** They need no database, or say that it is away in their own way. */
const withoutDatabase = /^\/(health|metrics|schemas|account)|referrer|auth\/oidc$|totp\/(setup|verify)|events\/stream/;

interface Outcome {
  what: string;
  status: number | 'late' | 'broken off';
}

async function outcomeOf({ method, path, body, ...operation }: Operation): Promise<Outcome> {
  const address = operations.address({ method, path, body, ...operation });
  const json = body === undefined ? {} : { json: operations.sample(body) };
  const asked = app.api
    .send(method, address, { token: admin.token, headers: { 'x-organization-id': organizationId }, ...json })
    .then(
      ({ status }) => status,
      () => 'broken off' as const,
    );
  const status = await Promise.race([asked, sleep(tooLongMs).then(() => 'late' as const)]);
  return { what: `${method} ${path}`, status };
}

const walk = (chosen: Operation[]) => Promise.all(chosen.map((operation) => outcomeOf(operation)));
const reads = () => operations.all().filter(({ method, path }) => method === 'GET' && !withoutDatabase.test(path));
const writes = () =>
  operations
    .all()
    .filter(({ path, method }) => method === 'POST' && /products\/$|cart\/add|orders\/$|tags|locations/.test(path));

/** Those that were refused before they asked the database do not count. */
const others = (outcomes: Outcome[]) => outcomes.filter(({ status }) => ![503, 422, 404].includes(Number(status)));

describe('While the database is silent, on connections that stay open', () => {
  it('reads and writes get a 503 in the time that is set, and what is sound goes on afterwards', async () => {
    const chosen = [...reads(), ...writes()];
    expect(chosen.length).toBeGreaterThan(70);
    await walk(chosen); // opens the connections
    way.silence(true);
    const outcomes = [...(await walk(chosen)), ...(await walk(chosen))]; // at the second time, on new connections
    way.silence(false);
    expect(others(outcomes)).toEqual([]);
    expect(outcomes.filter(({ status }) => status === 503).length).toBeGreaterThan(120);
    await until(async () => (await app.api.get('/api/v1/products/')).status === 200, 'the database');
    expect((await app.api.get('/api/v1/orders/', { token: admin.token })).status).toBe(200);
  }, 300_000);

  it('a statement that takes long is not disturbed while the server is there', async () => {
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE products');
    const reading = app.api.get('/api/v1/products/?skip=30000');
    try {
      await held.blocks(1);
      await sleep(patienceMs * 1.5); // in which nothing may end it
    } finally {
      await held.commit();
    }
    expect((await reading).status).toBe(200);
  });
});

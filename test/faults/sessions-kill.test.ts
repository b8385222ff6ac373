import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, signUp } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { holdToContract } from '../support/contract.js';
import { until } from '../support/receiver.js';
import { type BegunSession, beginSession, opens, refresh, type Refreshed } from '../support/sessions.js';
import { startNodeProcess } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const rounds = 2;

/** A client that keeps the tokens of the last response. */
interface Device {
  session: BegunSession;
  token: string;
  /** How many refreshes succeeded. */
  rotations: number;
}

let app: TestApp;
let devices: Device[];
let account: Account;
let dataDir: string;
/** Sessions whose sign-out succeeded. */
const signedOut: BegunSession[] = [];
/** Refresh tokens of logins that succeeded. */
const signedIn: string[] = [];
let cutOff = 0;
/** The statuses that devices got when they came back with the token of their last response. */
const comebacks: number[] = [];

beforeAll(async () => {
  app = await startTestApp();
  account = await signUp(app);
  const sessions = await Promise.all(Array.from({ length: 8 }, () => beginSession(app)));
  devices = sessions.map((session) => ({ session, token: session.refresh, rotations: 0 }));
  dataDir = await mkdtemp(join(tmpdir(), 'store-sessions-'));
  for (let round = 0; round < rounds; round++) await useUntilKilled();
}, 300_000);
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Moves the last rotation of a session, so that the ten seconds of grace for a replaced token are over or begin anew. */
async function setGrace({ session }: Device, seconds: 0 | 10): Promise<void> {
  await app.database.rows(
    `UPDATE sessions SET rotated_at = now() - $2 * interval '1 second' WHERE id = $1 AND rotated_at IS NOT NULL`,
    [session.id, seconds],
  );
}

/** Repeats `call` until the node is gone, which cuts off the last one. */
async function untilGone(call: () => Promise<void>): Promise<void> {
  try {
    for (;;) await call();
  } catch (error) {
    // supertest tells a refused connection by the message alone.
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/^(ECONN|EPIPE)/.test(code ?? message)) throw error;
    cutOff++;
  }
}

/** An overloaded node may say so: the client tries again. */
const isBusy = (status: number): boolean => status === 503;

async function refreshOnce(api: ApiClient, device: Device): Promise<void> {
  const { status, body } = await refresh(api, device.token);
  if (isBusy(status)) return;
  expect([status, body.code]).toEqual([200, undefined]);
  expect(body.refresh_token).not.toBe(device.token);
  Object.assign(device, { token: body.refresh_token, rotations: device.rotations + 1 });
  await setGrace(device, 10);
}

async function signInOnce(api: ApiClient): Promise<void> {
  const { username, password } = account;
  const { status, body } = await api.post<Refreshed>('/api/v1/auth/login', { json: { username, password } });
  if (isBusy(status)) return;
  expect(status).toBe(200);
  signedIn.push(body.refresh_token);
}

async function signOutOnce(api: ApiClient): Promise<void> {
  const session = await beginSession(app);
  const { status } = await api.post('/api/v1/auth/logout', { token: session.access });
  if (isBusy(status)) return;
  expect(status).toBe(204);
  signedOut.push(session);
}

/** Refreshes, signs in and signs out on a node until it is killed amid that. */
async function useUntilKilled(): Promise<void> {
  const node = await startNodeProcess(app, dataDir);
  const api = new ApiClient(node.baseUrl, await holdToContract(node.baseUrl, 'contract'));
  const before = { rotations: rotations(), in: signedIn.length, out: signedOut.length };
  const using = [
    ...devices.map((device) => untilGone(() => refreshOnce(api, device))),
    untilGone(() => signInOnce(api)),
    untilGone(() => signOutOnce(api)),
  ];
  const everyKindWasAnswered = () =>
    rotations() > before.rotations + 20 && signedIn.length > before.in && signedOut.length > before.out;
  await until(everyKindWasAnswered, 'answers of every kind');
  await node.stop('SIGKILL');
  await Promise.all(using);
  for (const device of devices) await comeBack(device);
}

/** Comes back at once with the token of the last response, which the killed node may have replaced. */
async function comeBack(device: Device): Promise<void> {
  await setGrace(device, 0);
  const { status, body } = await refresh(app.api, device.token);
  comebacks.push(status);
  device.token = body.refresh_token;
  await setGrace(device, 10);
}

const rotations = () => devices.reduce((sum, device) => sum + device.rotations, 0);

describe('A node that is killed in the middle of refreshes, logins and sign-outs', () => {
  it('has responded to some, and cut off others', () => {
    expect(cutOff).toBe(rounds * (devices.length + 2));
  });

  it('locks no device out: the token of its last response works, and so does the next one', async () => {
    expect(comebacks).toEqual(Array.from({ length: rounds * devices.length }, () => 200));
    for (const device of devices) {
      const { status, body } = await refresh(app.api, device.token);
      device.token = body.refresh_token;
      expect([status, await opens(app.api, body.access_token)]).toEqual([200, true]);
    }
  });

  it('keeps every login that succeeded, and accepts the next', async () => {
    for (let at = Math.max(0, signedIn.length - 40); at < signedIn.length; at++) {
      const { status, body } = await refresh(app.api, signedIn[at] ?? '');
      expect(status).toBe(200);
      signedIn[at] = body.refresh_token;
    }
    await signInOnce(app.api);
  });

  it('keeps every sign-out that succeeded', async () => {
    for (const { refresh: token, access } of signedOut) {
      expect((await refresh(app.api, token)).status).toBe(401);
      expect(await opens(app.api, access)).toBe(false);
    }
  });
});

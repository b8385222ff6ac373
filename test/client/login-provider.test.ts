import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { page, startStubService, type StubAnswer, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const organization = { id, name: 'Acme', role: 'admin', scopedWebhookExportPayload: false, createdAt: '2026-01-01' };
const device: StubAnswer = {
  json: {
    login_token: 'begun',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://login.example.com/device',
    verification_uri_complete: null,
    expires_in: 600,
    interval: 1,
  },
};
const refusal = (code: string): StubAnswer => ({ status: 400, json: { detail: `It is ${code}`, code } });

let service: StubService;
let folder: string;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-login-'));
  service.received.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const run = (choices: RunChoices = {}) =>
  runClient(['login', service.url, '--provider'], { env: { XDG_CONFIG_HOME: folder }, ...choices });
const requests = () => service.received.map(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}`);
const asked = 'POST /api/v1/auth/oidc/device/finish';

describe('store login --provider', () => {
  it('says where to confirm which code, asks until that is done, and makes a key', async () => {
    service.sends(
      device,
      refusal('authorization_pending'),
      refusal('slow_down'),
      { json: { access_token: 'signed-in', token_type: 'bearer' } },
      page([organization]),
      { status: 201, json: { id, key: 'ssk_made' } },
      { json: organization },
    );
    const { code, stderr } = await run();
    expect(stderr).toContain('Open https://login.example.com/device on any device, and confirm the code WDJB-MJHT');
    expect([code, requests()]).toEqual([
      0,
      [
        'POST /api/v1/auth/oidc/device',
        asked,
        asked,
        asked,
        'GET /api/v1/organizations',
        `POST /api/v1/organizations/${id}/api-keys`,
        'GET /api/v1/organizations/current',
      ],
    ]);
    expect(service.received[5]?.headers['authorization']).toBe('Bearer signed-in');
    const kept = await readFile(join(folder, 'store-service', 'credentials.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual({ address: service.url, key: 'ssk_made' });
  });

  it('asks for the code where the provider took one factor alone and the service wants two', async () => {
    service.sends(
      device,
      { json: { access_token: null, requires_totp: true, temp_token: 'temporary', token_type: 'bearer' } },
      { json: { access_token: 'signed-in', token_type: 'bearer' } },
      page([organization]),
      { status: 201, json: { id, key: 'ssk_made' } },
      { json: organization },
    );
    const { code, stderr } = await run({ answers: { 'recovery code: ': '123456' } });
    expect(stderr).not.toContain('123456');
    expect([code, requests().slice(0, 3)]).toEqual([
      0,
      ['POST /api/v1/auth/oidc/device', asked, 'POST /api/v1/auth/login/totp'],
    ]);
    const given: unknown = JSON.parse(service.received[2]?.bytes.toString() ?? '');
    expect(given).toEqual({ temp_token: 'temporary', totp_code: '123456' });
    expect(service.received[4]?.headers['authorization']).toBe('Bearer signed-in');
  });

  it.each(['device_code_expired', 'sign_in_denied'])('gives up on %s', async (reason) => {
    service.sends(device, refusal(reason));
    const { code, stderr } = await run();
    expect([code, requests()]).toEqual([1, ['POST /api/v1/auth/oidc/device', asked]]);
    expect(stderr).toContain(`It is ${reason}`);
  });
});

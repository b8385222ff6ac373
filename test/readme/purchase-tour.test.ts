import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@store-service/embedded-postgres';
import { shellBlocks } from '../support/readme.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);
const section = 'A purchase, from the cart to a refund';

let service: ServiceProcess;
let dataDir: string;
let receiver: ChildProcess;
let received = '';
let password: string;

/** The demo's receiver has a fixed port; tests use a free one. */
async function moveWebhook(port: number): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const ask = async <T>(path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.baseUrl}/api/v1/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const body = JSON.stringify({ username: 'admin', password });
  const login = await ask<{ access_token: string }>('auth/login', { method: 'POST', headers: json, body });
  const headers = { ...json, authorization: `Bearer ${login.access_token}` };
  const webhooks = await ask<{ id: string }[]>('admin/webhooks', { headers });
  const url = `http://127.0.0.1:${port}/hook`;
  for (const { id } of webhooks) {
    await ask(`admin/webhooks/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ url }) });
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-purchase-'));
  await chmod(dataDir, 0o755);
  const [start = ''] = await shellBlocks('README.md', section);
  const [, allowed = ''] = /^EGRESS_ALLOW=(\S+) npm start\n$/.exec(start) ?? [];
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', EGRESS_ALLOW: allowed });
  password = /Admin +admin \/ (\S+)/.exec(service.output())?.[1] ?? '';
  const port = await freePort(null);
  receiver = spawn('node', ['scripts/demo-receiver.mjs', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout?.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await until(() => received.includes('The receiver listens'), 'the receiver');
  await moveWebhook(port);
});

afterAll(async () => {
  receiver?.kill();
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe("README's purchase", () => {
  it('works as printed, and each step arrives as a signed event', async () => {
    const [, script = ''] = await shellBlocks('README.md', section);
    const typed = script
      .replaceAll('http://127.0.0.1:3000', service.baseUrl)
      .replace('paste-it-here', password)
      .replaceAll('curl -s ', 'curl -sS --fail-with-body ');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', typed]);
    expect(stdout).toMatch(/"status":"paid"[^]*"carrier":"DHL"[^]*"status":"shipped"[^]*"reason":"Arrived torn"/);
    for (const step of ['order.placed', 'order.paid', 'order.shipped', 'order.refunded']) {
      const arrived = new RegExp(`signature good[^\\n]*\\n +${step} at`);
      await until(() => arrived.test(received), `${step}, as a signed event`);
    }
    expect(received).not.toMatch(/SIGNATURE WRONG|not signed/);
  });
});

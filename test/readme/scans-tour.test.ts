import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@store-service/embedded-postgres';
import { shellBlocks } from '../support/readme.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

interface Delivery {
  status: string;
  payloadBytes: number;
  attempts: { statusCode: number | null }[];
}

interface Action {
  id: string;
  type: string;
  integrationKind: string;
  parameters: { url: string };
}

let service: ServiceProcess;
let dataDir: string;
let key: string;
let receiverPort: number;
let terminal: ChildProcess | undefined;
let output = '';
let errors = '';

async function call<T>(method: string, path: string, json?: unknown): Promise<T> {
  const response = await fetch(`${service.baseUrl}/api/v1/${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The demo's receiver has a fixed port; tests use a free one. */
async function moveReceiver(): Promise<void> {
  const { data } = await call<{ data: { id: string; actions: Action[] }[] }>('GET', 'workflows');
  for (const { id, actions } of data) {
    const moved = actions.map((action) => ({
      ...action,
      parameters: { ...action.parameters, url: `http://127.0.0.1:${receiverPort}/hook` },
    }));
    await call('PATCH', `workflows/${id}`, { actions: moved });
  }
}

async function type(script: string): Promise<number | null> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, STORE_API_URL: service.baseUrl };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { env, detached: true, stdio: [...stdio] });
  terminal = shell;
  shell.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(shell, 'exit');
  return shell.exitCode;
}

/** Ends background processes, too. */
function closeTerminal(): void {
  if (!terminal?.pid) return;
  try {
    process.kill(-terminal.pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-scans-tour-'));
  await chmod(dataDir, 0o755);
  const [start = ''] = await shellBlocks('docs/scans.md', 'Scans in two terminals');
  const [, allowed = ''] = /^EGRESS_ALLOW=(\S+) npm start\n$/.exec(start) ?? [];
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', EGRESS_ALLOW: allowed });
  key = /STORE_API_KEY=(\S+)/.exec(service.output())?.[1] ?? '';
  receiverPort = await freePort(null);
  await moveReceiver();
});

afterAll(async () => {
  closeTerminal();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe("docs/scans.md's scans in two terminals", () => {
  it('works as printed', async () => {
    const [, script = ''] = await shellBlocks('docs/scans.md', 'Scans in two terminals');
    const exit = await type(
      script
        .replace('npm run demo:receiver', `npm run demo:receiver -- --port ${receiverPort}`)
        .replace('paste-it-here', key)
        .replaceAll('http://127.0.0.1:3000', service.baseUrl),
    );
    expect({ exit, errors }).toEqual({ exit: 0, errors: expect.not.stringMatching(/store: (?![\d,]+ of )/) });
    await until(() => output.includes('scoped variant'), 'the delivery in the scoped variant');
  });

  it('shows scans, events and issues', () => {
    expect(output).toMatch(/STARTING.*Web shop front end/);
    expect(output).toMatch(/ID +CREATED AT +LEVEL +STAGE +TITLE/);
    expect(output).toMatch(/\nDESCRIPTION\n {2}\S/);
    expect(output).toMatch(/ORGANIZATION +Harbour Outfitters\n/);
    expect(output).toMatch(/HIGH +OPEN +Storefront API +Card number in the log of a refused payment/);
  });

  it('imports the report and has its serious issue sent', () => {
    expect(output).toMatch(/NEW ISSUES +2/);
    expect(output).toMatch(
      /signature good, default variant, \S+\n +issues 1, assets 1, scans 1, profiles 1.*\n +HIGH +Query built/,
    );
  });

  it('sends everything, with credentials in the default variant and without them in the scoped one', () => {
    const [whole = '', scoped = ''] = output.split('\nPOST /hook').slice(2);
    expect(whole).toMatch(/default variant[^]*integrations 4[^]*Code host \(apiKey, organization\)/);
    expect(scoped).toMatch(/scoped variant[^]*integrations 4/);
    expect(scoped.split('answered')[0]).not.toContain('apiKey');
  });

  it('ends with the deliveries, which the receiver accepted', () => {
    const printed = output.split('\n').find((line) => line.startsWith('{"data":')) ?? '{"data":[]}';
    const { data } = JSON.parse(printed) as { data: Delivery[] };
    // The demo's deliveries are older.
    expect(
      data.slice(0, 2).map(({ status, attempts }) => [status, attempts.map(({ statusCode }) => statusCode)]),
    ).toEqual([
      ['DELIVERED', [200]],
      ['DELIVERED', [200]],
    ]);
    expect(data[0]?.payloadBytes).toBeLessThan(Number(data[1]?.payloadBytes));
  });
});

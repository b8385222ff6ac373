import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '../../../src/platform/auth/route-list.js';
import { projectRoot } from '../../support/project-copy.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import '../../support/built-service.js';

const routes = [
  ['POST', 'reset'],
  ['GET', 'clock'],
  ['POST', 'clock'],
  ['DELETE', 'clock'],
  ['GET', 'mails'],
  ['DELETE', 'mails'],
  ['POST', 'totp'],
  ['POST', 'faults'],
  ['GET', 'webhooks'],
  ['POST', 'webhooks/a'],
  ['POST', 'settle'],
] as const;

const ways = [
  'test/',
  '/test/',
  'test//',
  'TEST/',
  'Test/',
  './test/',
  'api/v1/test/',
  '%74est/',
  'x/../test/',
  'test%2f',
];

/** What somebody may try who has read how tests call it. */
const headers: Record<string, string>[] = [
  {},
  { 'X-Test-Mode': 'true', 'X-Ephemeral': '1' },
  { 'X-HTTP-Method-Override': 'POST', 'X-Original-URL': '/test/reset', 'X-Rewrite-URL': '/test/reset' },
  { Host: 'test', 'X-Forwarded-Host': 'localhost', 'X-Forwarded-For': '127.0.0.1' },
];

/** Sent as it is: `fetch` would tidy the path up. */
async function statusOf(app: TestApp, method: string, path: string, given: Record<string, string>): Promise<number> {
  const { request } = await import('node:http');
  const { hostname, port } = new URL(app.baseUrl);
  const sent = request({ hostname, port, method, path, headers: { ...given, 'Content-Length': '0' } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('A service that is not ephemeral', () => {
  const apps: TestApp[] = [];
  beforeAll(async () => {
    const env = { EPHEMERAL: 'true', TEST_MODE: 'true', NODE_ENV: 'test', DEMO_DATA: 'true' };
    apps.push(await startTestApp(), await startTestApp({ env }));
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
  });

  it('has no route of test mode, whatever its settings', () => {
    for (const app of apps) expect(listRoutes(app.nest).filter(({ path }) => /^\/?test/.test(path))).toEqual([]);
  });

  it('answers each of them with 404, by whichever path and headers', async () => {
    for (const app of apps) {
      for (const [method, name] of routes) {
        for (const way of ways) {
          for (const given of headers) {
            const status = await statusOf(app, method, `/${way}${name}`, given);
            expect([status, method, way, name]).toEqual([404, method, way, name]);
          }
        }
      }
    }
  });

  it('does not even load the module', async () => {
    const script = "await import('./dist/src/cli/service.js'); await import('./dist/src/app.module.js');";
    const args = ['--import', './test/support/loaded-modules.mjs', '--input-type=module', '--eval', script];
    const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'] });
    let listed = '';
    child.stderr.on('data', (chunk: Buffer) => (listed += chunk.toString()));
    await once(child, 'close');
    expect(listed).toContain('/dist/src/app.module.js');
    expect(listed).not.toContain('/test-mode/');
  });
});

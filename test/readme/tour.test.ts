import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);

let service: ServiceProcess;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-tour-'));
  await chmod(dataDir, 0o755);
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function section(title: string): Promise<string> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const text = readme.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');
}

describe("README's tour", () => {
  it('works as printed, from the registration to the shipped order', async () => {
    const password = /Admin +admin \/ (\S+)/.exec(service.output())?.[1];
    const script = (await section('A tour'))
      .replaceAll('http://127.0.0.1:3000', service.baseUrl)
      .replace('paste-it-here', String(password))
      .replaceAll('curl -s ', "curl -sS -w '\\n%{http_code}\\n' ")
      .replaceAll(/=\$\(curl -sS -w '\\n%\{http_code\}\\n'/g, '=$(curl -sS');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);
    const statuses = stdout.split('\n').filter((line) => /^\d{3}$/.test(line));
    expect(statuses).toEqual([201, 200, 200, 200, 200, 200, 201, 200, 201, 200, 200, 200, 200].map(String));
    expect(stdout).toContain('"status":"shipped"');
  });

  it('is announced by a first run that says where everything is', () => {
    const output = service.output();
    for (const line of [
      /API +http/,
      /Docs +http/,
      /Data +\//,
      /Admin +admin \/ \S{12,}/,
      /Shopper +demo \/ /,
      /Try +curl/,
    ]) {
      expect(output).toMatch(line);
    }
  });

  it('is announced with a call that works as printed', async () => {
    const call = /Try +(curl .*)/.exec(service.output())?.[1] ?? '';
    const { stdout } = await run('bash', ['-c', call]);
    expect(JSON.parse(stdout)).toHaveLength(3);
  });
});

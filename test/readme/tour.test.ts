import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shellBlocks } from '../support/readme.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);

let service: ServiceProcess;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-tour-'));
  await chmod(dataDir, 0o755);
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe("README's tour", () => {
  it('works as printed, from the registration to the shipped order and the sign-out', async () => {
    const password = /Admin +admin \/ (\S+)/.exec(service.output())?.[1];
    const script = [
      ...(await shellBlocks('README.md', 'Five minutes')),
      ...(await shellBlocks('docs/sessions.md', 'A tour of an account')),
    ]
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', service.baseUrl)
      .replace('paste-it-here', String(password))
      .replaceAll('.data/', `${dataDir}/`)
      .replaceAll('curl -s ', "curl -sS -w '\\n%{http_code}\\n' ")
      .replaceAll(/=\$\(curl -sS -w '\\n%\{http_code\}\\n'/g, '=$(curl -sS');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);
    const statuses = stdout.split('\n').filter((line) => /^\d{3}$/.test(line));
    const shopping = [201, 200, 200, 200, 200, 200, 200, 201, 200, 201, 200, 200, 200, 200, 200];
    const signingOut = [200, 202, 200, 200, 200, 204];
    expect(statuses).toEqual([...shopping, ...signingOut].map(String));
    expect(stdout).toContain('"status":"shipped"');
    expect(stdout).toMatch(/\[\{"id".*"device".*\},\{"id".*"device".*\}\]/);
  });

  it('follows a first run that prints where everything is', () => {
    const output = service.output();
    for (const line of [
      /API +http/,
      /Docs +http/,
      /Data +\//,
      /Admin +admin \/ \S{12,}/,
      /Shopper +demo \/ /,
      /Try +curl/,
      /Client +STORE_API_URL=http\S+ STORE_API_KEY=ssk_\S+ npx store events list --limit 5\n +\(.*shown this once/,
    ]) {
      expect(output).toMatch(line);
    }
  });

  it('follows a first run whose example call works as printed', async () => {
    const call = /Try +(curl .*)/.exec(service.output())?.[1] ?? '';
    const { stdout } = await run('bash', ['-c', call]);
    expect(JSON.parse(stdout)).toHaveLength(3);
  });
});

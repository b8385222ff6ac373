import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReport } from '../../packages/client/src/gate/report-file.js';
import { runClient } from '../support/client-run.js';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import { insertOrganization } from '../support/organizations.js';
import { sarifLog, sarifResult } from '../support/report-imports.js';
import { startStubService } from '../support/stub-service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'store-bad-luck-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const findings = 200;

describe('An upload that is cut off', () => {
  it.each(['within the body', 'before the answer'] as const)('%s is repeated, and imported once', async (where) => {
    const organization = await insertOrganization(app);
    const key = await organization.key('member');
    const proxy = await startCuttingProxy(app.baseUrl, where);
    const file = join(folder, 'cut.sarif');
    // Names that do not compress, so that the cut falls within the bytes sent.
    const rules = Array.from({ length: findings }, () => randomBytes(16).toString('hex'));
    await writeFile(file, JSON.stringify(sarifLog(rules.map((rule) => sarifResult(rule)))));
    const { code, stdout, stderr } = await runClient(['scans', 'import', file], { url: proxy.url, key });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Sending ${file} again: it is imported once`)]);
    expect(stdout).toMatch(new RegExp(`\\nNEW ISSUES +${findings}\\n`));
    expect(proxy.connections()).toBeGreaterThan(1);
    const [kept] = await app.database.rows<{ scans: number; issues: number }>(
      `SELECT (SELECT count(*)::int FROM scans WHERE organization_id = $1) AS scans,
        (SELECT count(*)::int FROM issues WHERE organization_id = $1) AS issues`,
      [organization.id],
    );
    expect(kept).toEqual({ scans: 1, issues: findings });
    await proxy.close();
  });
});

describe('A report that cannot be read', () => {
  it('is reported as a failing disk, not as a failing network, and is not sent again', async () => {
    const service = await startStubService();
    service.sends({ status: 503, json: { detail: 'Restarting', code: 'x' } });
    // Its first page is unmapped: reading it is an I/O error.
    const args = ['scans', 'import', '/proc/self/mem', '--asset', 'shop'];
    const { code, stderr } = await runClient(args, { url: service.url });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^store: Cannot read \/proc\/self\/mem: .*EIO/)]);
    expect(stderr).not.toContain('again');
    await service.close();
  });
});

describe('A report of 1 GiB', () => {
  it('is read no faster than it is sent', async () => {
    const file = join(folder, 'sparse');
    await writeFile(file, '');
    await truncate(file, 2 ** 30);
    let read = 0;
    const nothing = process.stdin;
    const { upload } = await openReport(
      file,
      nothing,
      (bytes) => (read = bytes),
      () => undefined,
    );
    const sent = upload.open()[Symbol.asyncIterator]();
    await sent.next();
    // Data that is not taken fills the buffers and no more: reading stops.
    let before = -1;
    while (before !== read) {
      before = read;
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(64 * 2 ** 20);
    await sent.return?.();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runClient } from '../support/client-run.js';
import { startStubService, type StubService } from '../support/stub-service.js';

const zero = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
const byRule = { rule: 'sql', severity: 'HIGH', created: 1, seen: 0, unmerged: 0, reopened: 0, gone: 0 };
const none = { skipped: [], skippedCount: 0, cut: [], cutCount: 0, goneUnknown: null, resolved: 0, dryRun: false };
const issue = {
  id: '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4',
  rule: 'sql',
  name: 'A query',
  severity: 'HIGH',
  outcome: 'CREATED',
  unmerged: false,
  place: 'src/a.ts',
  line: 7,
  message: 'A query is built from input',
  assetName: 'shop',
};
const page = { status: 200, json: { data: [issue], nextCursor: null } };
const result = {
  ...none,
  scan: { id: issue.id, kind: 'ASM_CODE_PROJECT', status: 'FINISHED', application: { name: 'Lint' } },
  findings: 1,
  created: 1,
  seen: 0,
  targets: 1,
  events: 2,
  tool: 'Lint',
  category: null,
  assetUris: [],
  branch: 'main',
  bySeverity: { created: { ...zero, HIGH: 1 }, seen: zero, unmerged: zero, reopened: zero, gone: zero, setAside: zero },
  byRule: [byRule],
  issues: [issue],
  listed: true,
  notRun: null,
  tools: [],
  notKept: [],
  absolutePaths: [],
  absolutePathCount: 0,
};

let service: StubService;
let folder: string;
let report: string;
beforeAll(async () => {
  service = await startStubService();
  folder = await mkdtemp(join(tmpdir(), 'store-results-'));
  report = join(folder, 'r.sarif');
  await writeFile(report, '{"runs": []}');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  runClient(['scans', 'import', report, '--asset', 'shop', ...args], { url: service.url });
const at = (name: string) => join(folder, name);

describe('The files that store scans import writes', () => {
  it('are written into new folders', async () => {
    service.sends({ status: 201, json: result }, page);
    const files = ['--junit', at('a/b/gate.xml'), '--sarif-out', at('c/out.sarif'), '--summary', at('d/sum.md')];
    expect((await run('--fail-on', 'high', ...files)).code).toBe(6);
    expect(await readFile(at('a/b/gate.xml'), 'utf8')).toContain('<failure type="HIGH"');
    expect(await readFile(at('d/sum.md'), 'utf8')).toMatch(/^## Security gate: failed/);
    const { runs } = JSON.parse(await readFile(at('c/out.sarif'), 'utf8')) as { runs: { results: object[] }[] };
    expect(runs[0]?.results).toMatchObject([
      {
        ruleId: 'sql',
        baselineState: 'new',
        message: { text: issue.message },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 7 } } }],
      },
    ]);
  });

  it('have a section for each of several reports', async () => {
    service.sends({ status: 201, json: result }, { status: 201, json: result }, page);
    await writeFile(at('other.sarif'), '{}');
    const files = ['--sarif-out', at('several.sarif'), '--junit', at('several.xml')];
    const { code, stdout } = await run(at('other.sarif'), '--category', 'one', '--fail-on', 'critical', ...files);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/FILE +.*r\.sarif\n[^]*FILE +.*other\.sarif\n/)]);
    const { runs } = JSON.parse(await readFile(at('several.sarif'), 'utf8')) as { runs: unknown[] };
    expect(runs).toHaveLength(2);
    expect((await readFile(at('several.xml'), 'utf8')).match(/<testsuite name="[^"]*\.sarif"/g)).toHaveLength(2);
  });

  it.each([
    ['a folder', () => folder, 'it is a folder'],
    ['below a file', () => at('r.sarif/gate.xml'), 'a part of the path is no folder'],
  ])('end the command with 2 before anything is sent when one is %s', async (_, file, reason) => {
    service.sends({ status: 201, json: result });
    const { code, stderr } = await run('--fail-on', 'high', '--junit', file());
    expect([code, stderr]).toEqual([2, `store: Cannot write ${file()}: ${reason}\n`]);
    expect(service.received).toEqual([]);
  });

  it('do not hide the verdict when one can no longer be written', async () => {
    const file = at('late.xml');
    const answer = (json: unknown) =>
      service.answers((response, { method }) => {
        mkdirSync(file, { recursive: true });
        if (method === 'GET') {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page.json));
          return;
        }
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      });
    answer(result);
    const closed = await run('--fail-on', 'high', '--junit', file);
    expect([closed.code, closed.stdout]).toEqual([6, expect.stringContaining('GATE failed')]);
    expect(closed.stderr).toContain(`Cannot write ${file}: it is a folder`);
    expect(closed.stderr).toContain('The gate is closed');
    rmSync(file, { recursive: true });
    answer(result);
    const open = await run('--fail-on', 'critical', '--junit', file);
    expect([open.code, open.stdout]).toEqual([1, expect.stringContaining('GATE passed')]);
  });

  it('name the failures even when the service lists no issue for them', async () => {
    const empty = { status: 200, json: { data: [], nextCursor: null } };
    service.sends({ status: 201, json: { ...result, issues: [] } }, empty);
    const files = ['--junit', at('unlisted.xml'), '--summary', at('unlisted.md')];
    const { code, stdout, stderr } = await run('--fail-on', 'high', ...files);
    const sentence = '1 open issue of severity HIGH: 1 of rule sql';
    expect([code, stdout]).toEqual([6, expect.stringContaining(`  not listed: ${sentence}\n`)]);
    expect(stderr).toContain(`${at('unlisted.xml')} not written: The service counts 1 issues and lists 0`);
    await expect(readFile(at('unlisted.xml'))).rejects.toThrow('ENOENT');
    expect(await readFile(at('unlisted.md'), 'utf8')).toContain('- 1 open issue of severity HIGH&#58; 1 of rule sql');
  });
});

describe('A report that changes while it is sent', () => {
  const kinds: [string, number, (file: string) => void][] = [
    ['a small one that grows', 100, (file) => appendFileSync(file, 'more')],
    ['a large one that grows', 100_000, (file) => appendFileSync(file, 'more')],
    ['a small one that shrinks', 100, (file) => truncateSync(file, 50)],
    ['a large one that shrinks', 100_000, (file) => truncateSync(file, 50)],
  ];

  it.each(kinds)('is reported as such, and not sent further: %s', async (_, size, change) => {
    const file = at('changing.sarif');
    await writeFile(file, Buffer.alloc(size, 'x'));
    service.sends({});
    service.answers((response) => {
      change(file);
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ detail: 'Restarting', code: 'x' }));
    });
    const { code, stderr } = await runClient(['scans', 'import', file, '--asset', 'shop'], { url: service.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} was changed while it was sent`)]);
    expect(stderr).not.toContain('Cannot reach');
    // Progress is printed when there is time for it; a second file would have its own.
    expect((stderr.match(/Sending /g) ?? []).length).toBeLessThanOrEqual(1);
  });
});

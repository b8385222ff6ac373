import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startClient } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { until } from '../support/receiver.js';
import { startCutter, startEarlyRefuser, startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const skipped = Array.from({ length: 25 }, (_, index) => ({ index, reason: `reason ${index}` }));
const result = {
  scan: { id, kind: 'FRONTEND_DAST', application: { name: 'OWASP ZAP' } },
  findings: 40,
  created: 10,
  seen: 5,
  targets: 17,
  events: 42,
  skipped,
  skippedCount: 25,
  cut: [{ index: null, reason: 'more than 1000 runs' }],
  cutCount: 1_500,
};

let service: StubService;
let folder: string;

beforeAll(async () => {
  service = await startStubService();
  folder = await mkdtemp(join(tmpdir(), 'store-client-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => service.sends({ status: 201, json: result }));

/** A fully described pipeline, so that the checkout around the tests does not matter. */
const pipeline = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_SHA: 'abc', GITHUB_WORKSPACE: '/w' };
const sources = 'repository=https%3A%2F%2Fgithub.com%2Facme%2Fshop&commit=abc&root=%2Fw';

const run = (args: string[], stdin?: Buffer, env: Record<string, string> = pipeline) =>
  runClient(['scans', 'import', ...args], { url: service.url, env, ...(stdin ? { stdin } : {}) });

/** A report on a repository with 5,000 files, whose results differ in rule, place, text and fingerprint. */
function largeSarif(count: number): string {
  const results = Array.from({ length: count }, (_, at) => ({
    ruleId: `javascript.lang.security.rule-${(at * 7) % 60}`,
    level: ['error', 'warning', 'note'][at % 3],
    message: { text: `The value of \`argument${(at * 31) % 997}\` comes from a request, and reaches a query.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/module-${(at * 13) % 200}/file-${(at * 17) % 5_000}.ts` },
          region: { startLine: (at * 37) % 1_500, startColumn: at % 80, snippet: { text: `  query(argument${at})` } },
        },
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${hash('sha256', String(at)).slice(0, 16)}:1` },
  }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Semgrep OSS' } }, results }] });
}

async function reportOf(bytes: Buffer | string): Promise<string> {
  const path = join(folder, 'report');
  await writeFile(path, bytes);
  return path;
}

describe('store scans import', () => {
  it('sends the bytes of a file, with Content-Length', async () => {
    const bytes = Buffer.from('{"site": "caf\u00e9"}\n\u0000');
    await run([await reportOf(bytes)]);
    const [request] = service.received;
    expect([request!.method, request!.path]).toEqual(['POST', `/api/v1/scans/import?${sources}`]);
    expect(request!.bytes).toEqual(bytes);
    expect(request!.headers).toMatchObject({
      'content-length': String(bytes.length),
      'content-type': 'application/octet-stream',
    });
  });

  it('sends piped input of any size', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'nuclei\n');
    expect((await run(['-'], bytes)).code).toBe(0);
    expect(service.received[0]!.bytes.length).toBeLessThan(bytes.length / 100);
    expect(gunzipSync(service.received[0]!.bytes).equals(bytes)).toBe(true);
  });

  it('sends format, asset, profile and kind along', async () => {
    const options = ['--format', 'zap-xml', '--asset', 'my shop', '--profile-id', id, '--kind', 'FRONTEND_DAST'];
    await run([await reportOf('{}'), ...options]);
    const query = Object.fromEntries(new URL(service.received[0]!.path, service.url).searchParams);
    const given = { format: 'zap-xml', asset: 'my shop', profileId: id, kind: 'FRONTEND_DAST' };
    expect(query).toEqual({ ...given, commit: 'abc', root: '/w' });
  });

  it('prints the scan, the numbers and what was skipped', async () => {
    const { code, stdout } = await run([await reportOf('{}')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^SCAN ID +01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4\n/);
    expect(stdout).toMatch(/FINDINGS +40\nNEW ISSUES +10\nSEEN BEFORE +5\nSKIPPED +25\nCUT +1500\n/);
    expect(stdout).toContain('\n  19: reason 19\n  and 5 more, which -o json lists\n');
    expect(stdout).toContain('\nCUT\n  report: more than 1000 runs\n  and 1499 more\n');
  });

  it('prints one shape with -o json, whatever was asked', async () => {
    const { stdout } = await run([await reportOf('{}'), '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({ gate: null, reports: [{ file: join(folder, 'report'), ...result }] });
  });

  it('gzips large reports that are not gzipped', async () => {
    const bytes = Buffer.alloc(100_000, 'results');
    await run([await reportOf(bytes)]);
    const zipped = gzipSync(Buffer.alloc(100_000, 'results'), { level: 0 });
    await run([await reportOf(zipped)]);
    const [plain, asItWas] = service.received.map((request) => request.bytes);
    expect([gunzipSync(plain!).equals(bytes), plain!.length < 5_000]).toEqual([true, true]);
    expect(asItWas!.equals(zipped)).toBe(true);
  });

  it('sends repository, branch and commit of the pipeline, unless given others', async () => {
    const env = {
      GITLAB_CI: '1',
      CI_PROJECT_URL: 'https://x:y@code.example/shop',
      CI_COMMIT_BRANCH: 'b',
      CI_COMMIT_SHA: 'c',
      CI_PROJECT_DIR: '/builds/shop',
    };
    await run([await reportOf('{}'), '--resolve-gone', '--dry-run'], undefined, env);
    await run([await reportOf('{}'), '--asset', 'shop', '--branch', 'other'], undefined, env);
    const queries = service.received.map(({ path }) => Object.fromEntries(new URL(path, service.url).searchParams));
    const [root, repository] = [env.CI_PROJECT_DIR, 'https://code.example/shop'];
    const shop = { repository, branch: 'b', commit: 'c', root };
    expect(queries).toEqual([
      { ...shop, resolveGone: 'true', dryRun: 'true' },
      { asset: 'shop', branch: 'other', root },
    ]);
  });

  it('sends a report again with the same key when the connection breaks or the service is down', async () => {
    const away = { status: 503, json: { detail: 'Restarting', code: 'x' } };
    const running = { status: 409, json: { detail: 'Still running', code: 'request_running' } };
    service.sends(away, running, { status: 201, json: result });
    const { code, stderr } = await run([await reportOf('{"runs": []}')]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Sending ')]);
    const keys = service.received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  it('sends a report again with the same key when the connection is cut in the middle of it', async () => {
    const cutting = await startCutter(result);
    const file = await reportOf(gzipSync(Buffer.alloc(4 * 1024 * 1024), { level: 0 }));
    const { code, stderr } = await runClient(['scans', 'import', file, '--asset', 'shop'], { url: cutting.url });
    expect([code, stderr]).toEqual([0, expect.stringContaining('was cut off')]);
    expect(stderr).toContain(`Sending ${file} again: it is imported once`);
    const [first, second] = cutting.keys;
    expect([first, second]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), first]);
    await cutting.close();
  });

  it('shows the progress of 100,000 results, and takes a fifth of their bytes on the wire', async () => {
    const file = join(folder, 'large.sarif');
    const bytes = Buffer.from(largeSarif(100_000));
    await writeFile(file, bytes);
    const { code, stdout } = await runClient(['scans', 'import', file], { url: service.url, columns: 200 });
    expect(code).toBe(0);
    const [sent] = service.received.map((request) => request.bytes);
    expect(sent!.length).toBeLessThan(bytes.length / 5);
    expect(gunzipSync(sent!).equals(bytes)).toBe(true);
    const size = (bytes.length / 2 ** 20).toFixed(1);
    expect(stdout).toMatch(new RegExp(`\\r\\d+\\.\\d of ${size} MiB \\(\\d+ %\\): ${file}`));
    expect(stdout).toMatch(new RegExp(`\\r\\S Sent, being imported: ${file}`));
  });

  it("shows progress rather than the file's name on a narrow terminal", async () => {
    const { stdout } = await runClient(['scans', 'import', await reportOf(Buffer.alloc(2 ** 20))], {
      url: service.url,
      columns: 20,
    });
    const end = '\u001b[K';
    const lines = stdout.split('\r').flatMap((text) => (text.endsWith(end) ? [text.slice(0, -end.length)] : []));
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\d\.\d of 1\.0 MiB .*…$/),
        expect.stringMatching(/^\S Sent, being impo…$/),
      ]),
    );
    expect(lines.filter((line) => line.length > 19)).toEqual([]);
  });

  it('reads a named pipe, and says when nothing comes out of it', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
    const client = startClient(['scans', 'import', pipe], { url: service.url });
    await until(() => client.stderr().includes('waiting for what is written into it'), 'the notice');
    await writeFile(pipe, '{"runs": []}');
    expect((await client.done).code).toBe(0);
    expect(gunzipSync(service.received[0]!.bytes).toString()).toBe('{"runs": []}');
  });

  it('ends with 2 for a file larger than any service takes, and sends nothing', async () => {
    const file = join(folder, 'huge');
    await writeFile(file, '');
    await truncate(file, 2 * 2 ** 30);
    const { code, stderr } = await run([file]);
    expect([code, service.received.length]).toEqual([2, 0]);
    expect(stderr).toContain('it has 2.0 GiB, and no service takes more than 1 GiB: split it');
  });

  it('prints failing issues with their whole ids, however narrow the terminal', async () => {
    const zero = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
    const none = { seen: zero, unmerged: zero, reopened: zero, gone: zero, setAside: zero };
    const bySeverity = { ...none, created: { ...zero, HIGH: 1 } };
    const issue = {
      id,
      rule: 'sql',
      name: 'A query',
      severity: 'HIGH',
      outcome: 'CREATED',
      place: null,
      assetName: 'shop',
    };
    const json = { ...result, branch: null, goneUnknown: null, resolved: 0, bySeverity, byRule: [], issues: [issue] };
    service.sends({ status: 201, json });
    const file = await reportOf('{}');
    for (const columns of [20, 60, 80]) {
      const args = ['scans', 'import', file, '--fail-on', 'high'];
      const { code, stdout } = await runClient(args, { url: service.url, columns, env: { NO_COLOR: '1' } });
      expect([code, stdout.split('GATE failed')[1]]).toEqual([6, expect.stringContaining(id)]);
      const { stdout: dry } = await runClient([...args, '--dry-run'], { url: service.url, columns });
      expect(dry.split('GATE')[1]).toMatch(/^ *new\b/m);
      expect(dry.split('GATE')[1]).not.toContain(id);
    }
  });

  it('refuses to gate when the service does not return what is new', async () => {
    const { code, stderr } = await run([await reportOf('{}'), '--fail-on', 'high']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('older than this client')]);
  });

  it.each([
    [['--new-only'], 'add --fail-on'],
    [['-', '-'], 'is read once'],
  ])('ends with 2 for %j', async (options, message) => {
    const { code, stderr } = await run([await reportOf('{}'), ...options]);
    expect([code, stderr, service.received.length]).toEqual([2, expect.stringContaining(message), 0]);
  });

  it('shows why a report is refused', async () => {
    service.sends({
      status: 422,
      json: { detail: [{ loc: ['body'], msg: 'This is no report', type: 'value_error' }] },
    });
    const { code, stderr } = await run([await reportOf('hello')]);
    expect([code, stderr]).toEqual([1, 'store: body: This is no report\n']);
  });

  it.each(['a file', 'a pipe'])('shows a refusal that comes before %s has been read to its end', async (from) => {
    const bytes = Buffer.alloc(30 * 1024 * 1024);
    const early = await startEarlyRefuser();
    const args = ['scans', 'import', from === 'a file' ? await reportOf(bytes) : '-'];
    const { code, stderr } = await runClient(args, { url: early.url, stdin: bytes });
    expect([code, stderr]).toEqual([1, 'store: The report is larger than 50 MiB\n']);
    await early.close();
  });

  it('does not wait for the end of a pipe whose report is refused', async () => {
    const early = await startEarlyRefuser();
    const client = startClient(['scans', 'import', '-'], { url: early.url, keepStdinOpen: true });
    client.child.stdin.write('a beginning');
    expect((await client.done).code).toBe(1);
    await early.close();
  });

  it('sends a file again after a 429', async () => {
    const busy = { status: 429, json: { detail: 'Too many requests', code: 'x' }, headers: { 'retry-after': '0' } };
    service.sends(busy, { status: 201, json: result });
    const { code } = await run([await reportOf('{"runs": []}')]);
    expect([code, service.received.map(({ bytes }) => bytes.toString())]).toEqual([
      0,
      ['{"runs": []}', '{"runs": []}'],
    ]);
  });

  it('does not send a pipe again', async () => {
    service.sends({ status: 429, json: { detail: 'Too many requests', code: 'x' }, headers: { 'retry-after': '0' } });
    const { code } = await run(['-'], Buffer.from('{}'));
    expect([code, service.received.length]).toEqual([1, 1]);
  });

  it.each([
    ['absent', 'there is no such file'],
    ['.', 'it is a folder: name a report in it'],
  ])('ends with 2 when the file is %s', async (name, reason) => {
    const { code, stderr } = await run([join(folder, name)]);
    expect([code, service.received.length]).toEqual([2, 0]);
    expect(stderr).toContain(`: ${reason}\n`);
  });
});

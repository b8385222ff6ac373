import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { page, startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const view = { id, name: 'Mine', shared: true, sort: 'due', filter: { severities: ['LOW'], statuses: ['OPEN'] } };
const outcome = { dryRun: false, matching: 3, changing: 2, changed: 0, remaining: 0, first: [] };

let service: StubService;
let folder: string;
beforeAll(async () => {
  service = await startStubService();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-issue-lists-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (args: string[], choices: RunChoices = {}) =>
  runClient(args, { url: service.url, key: 'ssk_x', ...choices });
const sent = () =>
  service.received.map(({ method, path, bytes }) => {
    const url = new URL(path, service.url);
    return {
      asked: `${method} ${url.pathname}`,
      query: Object.fromEntries(
        [...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name).join()]),
      ),
      ...(bytes.length > 0 && { body: JSON.parse(bytes.toString()) as unknown }),
    };
  });

describe('store issues list', () => {
  it('filters by people, time, rule and place, and sorts', async () => {
    service.sends(page([]));
    const line = `issues list --rule a,b --identifier CWE-79 --tag-id ${id} --asset shop --assignee me --overdue --kev --min-epss 0.1 --tool ZAP`;
    const times = [
      '--last-seen-since',
      '2026-11-20T00:00Z',
      '--first-seen-until',
      '2026-11-21T00:00Z',
      '--due-until',
      '2026-12-01T00:00Z',
    ];
    expect((await run([...line.split(' '), ...times, '--sort', 'due', '-o', 'json'])).code).toBe(0);
    expect(sent()).toMatchObject([
      {
        query: {
          rule: 'a,b',
          identifier: 'CWE-79',
          tagIds: id,
          assetName: 'shop',
          assignee: 'me',
          overdue: 'true',
          kev: 'true',
          minEpss: '0.1',
          tool: 'ZAP',
          lastSeenSince: '2026-11-20T00:00:00.000Z',
          firstSeenUntil: '2026-11-21T00:00:00.000Z',
          dueUntil: '2026-12-01T00:00:00.000Z',
          sort: 'due',
        },
      },
    ]);
  });

  it('takes the filter and the order of a view, and lets what is given win', async () => {
    service.sends(page([view]), page([]));
    expect((await run(['issues', 'list', '--view', 'Mine', '--severities', 'HIGH', '-o', 'json'])).code).toBe(0);
    expect(sent()[1]?.query).toMatchObject({ severities: 'HIGH', statuses: 'OPEN', sort: 'due' });
    service.sends(page([view]));
    const { code, stderr } = await run(['issues', 'list', '--view', 'Yours']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('There is no view "Yours"; there are: Mine')]);
  });

  it('refuses a probability that is none, and sorts by it', async () => {
    for (const share of ['1.5', '-1', '10%', '.']) {
      expect((await run(['issues', 'list', '--min-epss', share])).stderr).toContain('Give a number from 0 to 1');
    }
    service.sends(page([]));
    await run(['issues', 'list', '--sort', 'epss', '-o', 'json']);
    expect(sent()[0]?.query).toMatchObject({ sort: 'epss' });
  });
});

describe('store views', () => {
  it('lists, shows, saves and deletes', async () => {
    service.sends(page([view]));
    expect((await run(['views', 'list'])).stdout).toMatch(/SHARED.*NAME\n01981c5e.*yes .*Mine\n/);
    expect((await run(['views', 'show', 'Mine'])).stdout).toMatch(/SEVERITIES +LOW\n/);
    service.sends({ status: 201, json: view });
    await run(['views', 'create', 'Mine', '--shared', '--filter', '{"severities": ["LOW"]}']);
    const body = { name: 'Mine', shared: true, sort: 'created', filter: { severities: ['LOW'] } };
    expect(sent()).toEqual([{ asked: 'POST /api/v1/views', query: {}, body }]);
    service.sends(page([view]), { status: 204 });
    expect((await run(['views', 'delete', 'Mine'])).code).toBe(0);
    expect(sent()[1]?.asked).toBe(`DELETE /api/v1/views/${id}`);
    expect((await run(['views', 'create', 'Mine', '--filter', '{'])).code).toBe(2);
  });
});

describe('store issues export', () => {
  it('writes a file once all is there, or to standard output', async () => {
    const file = join(folder, 'issues.csv');
    service.sends({ text: 'id\r\n1\r\n', headers: { 'content-type': 'text/csv' } });
    expect((await run(['issues', 'export', file, '--severities', 'HIGH'])).stderr).toBe(`store: ${file} is written\n`);
    expect(await readFile(file, 'utf8')).toBe('id\r\n1\r\n');
    expect((await run(['issues', 'export', '--format', 'jsonl'])).stdout).toBe('id\r\n1\r\n');
    expect(sent().map(({ asked, query }) => [asked, query])).toEqual([
      ['GET /api/v1/issues/export', { format: 'csv', severities: 'HIGH' }],
      ['GET /api/v1/issues/export', { format: 'jsonl' }],
    ]);
  });

  it('keeps the file that was there where the export breaks off, or is refused', async () => {
    const file = join(folder, 'issues.csv');
    await writeFile(file, 'before');
    service.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('id\r\n');
      setTimeout(() => response.destroy(), 50);
    });
    const broken = await run(['issues', 'export', file]);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('The export is not complete')]);
    service.sends({ status: 429, json: { detail: 'Too many', code: 'rate_exceeded' } });
    expect((await run(['issues', 'export', file])).code).toBe(1);
    service.sends({ status: 422, json: { detail: [{ loc: ['query', 'rule'], msg: 'Too long', type: 'x' }] } });
    expect((await run(['issues', 'export', file])).stderr).toContain('query.rule: Too long');
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['before', ['issues.csv']]);
  });
});

describe('store issues bulk', () => {
  const change = ['issues', 'bulk', '--severities', 'LOW', '--set-status', 'RESOLVED'];

  it('shows what would change, and changes nothing without --yes', async () => {
    service.sends({ json: { ...outcome, dryRun: true } });
    const { code, stdout, stderr } = await run(change);
    expect([code, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
    expect(stdout).toMatch(/MATCHING +3\nTO CHANGE +2\n/);
    expect((await run([...change, '--dry-run'])).code).toBe(0);
    const body = { filter: { severities: ['LOW'] }, changes: { status: 'RESOLVED' }, dryRun: true };
    expect(sent().map((request) => request.body)).toEqual([body, body]);
  });

  it('expects what it showed, and goes on until nothing is left', async () => {
    service.sends(
      { json: outcome },
      { json: { ...outcome, changed: 1, remaining: 1 } },
      { json: { ...outcome, changed: 1 } },
    );
    const { code, stdout } = await run([...change, '--yes']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/CHANGED +2\n$/)]);
    expect(sent().map(({ body }) => (body as { expectedCount?: number }).expectedCount)).toEqual([
      undefined,
      3,
      undefined,
    ]);
  });

  it('asks on a terminal', async () => {
    service.sends({ json: outcome });
    const { code, stderr } = await run(change, { answers: { 'Change 2 issues? [y/N] ': 'n' } });
    expect([code, stderr, sent().length]).toEqual([0, expect.stringContaining('Nothing is changed'), 1]);
  });

  it('refuses to change nothing', async () => {
    const { code, stderr } = await run(['issues', 'bulk', '--comment', 'x']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is nothing to change')]);
  });
});

describe('store issues assign, due and accept', () => {
  const updated = { json: { results: [{ id, status: 'updated' }] } };

  it('change people and time', async () => {
    const member = { userId: 'user-1', username: 'ada' };
    service.sends({ json: { id: 'acme' } }, page([member]), updated);
    expect((await run(['issues', 'assign', '--to', 'ada', id])).code).toBe(0);
    expect(sent()[2]?.body).toEqual({ assigneeId: 'user-1', ids: [id] });
    service.sends(updated);
    await run(['issues', 'assign', '--to', 'none', id]);
    await run(['issues', 'due', '--by', '2030-01-31T00:00Z', id]);
    await run(['issues', 'accept', '--reason', 'Known', '--until', '2030-01-31T00:00Z', id]);
    const until = '2030-01-31T00:00:00.000Z';
    expect(sent().map(({ body }) => body)).toEqual([
      { assigneeId: null, ids: [id] },
      { dueAt: until, ids: [id] },
      { status: 'IGNORED', acceptedReason: 'Known', acceptedUntil: until, ids: [id] },
    ]);
  });
});

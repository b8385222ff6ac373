import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { sarifLog, sarifResult } from '../support/report-imports.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Row = Record<string, unknown> & { id: string };

let app: TestApp;
let organization: InsertedOrganization;
let key: string;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  key = await organization.key('admin');
  folder = await mkdtemp(join(tmpdir(), 'store-acting-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** Runs a command that must succeed; returns its JSON. */
async function print<T = Row>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runClient([...args, '-o', 'json'], { url: app.baseUrl, key });
  expect([code, stderr.replace('store: The key is shown this once\n', '')]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

const rows = <T = Row>(sql: string, ...values: unknown[]) => app.database.rows<T & object>(sql, values);

async function make(path: string, json: object): Promise<Row> {
  const { status, body } = await app.api.post<Row>(`/api/v1/${path}`, { json, headers: { 'x-api-key': key } });
  expect(status).toBe(201);
  return body;
}

async function importIssue(rule: string): Promise<string> {
  const file = join(folder, 'r.sarif');
  await writeFile(file, JSON.stringify(sarifLog([sarifResult(rule)])));
  await print('scans', 'import', file);
  const [issue] = await rows('SELECT id FROM issues WHERE name = $1', rule);
  return issue?.id ?? '';
}

describe('The client, acting on the service', () => {
  it('changes and comments issues', async () => {
    const id = await importIssue('injection');
    await print(
      'issues',
      'update',
      id.slice(0, 23),
      '--status',
      'false_positive',
      '--severity',
      'low',
      '--comment',
      'Why',
    );
    await print('issues', 'comment', id, 'Seen again');
    const [issue] = await rows('SELECT id, status, severity FROM issues WHERE id = $1', id);
    expect(issue).toEqual({ id, status: 'FALSE_POSITIVE', severity: 'LOW' });
    const said = await rows<{ comment: string }>(
      'SELECT comment FROM issue_activities WHERE issue_id = $1 AND comment IS NOT NULL ORDER BY id',
      id,
    );
    expect(said.map(({ comment }) => comment)).toEqual(expect.arrayContaining(['Why', 'Seen again']));
    expect(await print('issues', 'get', id)).toMatchObject({ id, status: 'FALSE_POSITIVE', severity: 'LOW' });
  });

  it('makes keys with an end relative to now, and revokes them', async () => {
    const made = await print('keys', 'create', 'CI', '--role', 'viewer', '--expires', '30d');
    const [stored] = await rows<{ name: string; role: string; days: number }>(
      'SELECT name, role, round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM api_keys WHERE id = $1',
      made.id,
    );
    expect(stored).toEqual({ name: 'CI', role: 'viewer', days: 30 });
    const asked = await runClient(['whoami'], { url: app.baseUrl, key: String(made['key']) });
    expect(asked.code).toBe(0);
    await print('keys', 'revoke', made.id);
    expect((await runClient(['issues', 'list'], { url: app.baseUrl, key: String(made['key']) })).code).toBe(3);
  });

  it('invites members', async () => {
    await print('members', 'invite', 'new@example.com', '--role', 'viewer');
    const invited = await rows(
      'SELECT email, role FROM organization_invitations WHERE organization_id = $1',
      organization.id,
    );
    expect(invited).toEqual([{ email: 'new@example.com', role: 'viewer' }]);
  });

  it('makes, changes and previews workflows', async () => {
    const actions = [
      {
        type: 'EXPORT',
        integrationKind: 'WEBHOOK',
        parameters: { url: 'https://hooks.example.com/x', resources: ['issues'] },
      },
    ];
    const file = join(folder, 'workflow.json');
    await writeFile(file, JSON.stringify({ name: 'By hand', trigger: { type: 'MANUAL' }, actions }));
    const { id } = await print('workflows', 'create', '-f', file);
    await importIssue('previewed');
    expect(await print('workflows', 'preview', id)).toMatchObject({ counts: { issues: expect.any(Number) } });
    await writeFile(file, JSON.stringify({ name: 'By hand, renamed', enabled: false }));
    await print('workflows', 'update', id, '-f', file);
    expect(await rows('SELECT id, name, enabled FROM workflows')).toEqual([
      { id, name: 'By hand, renamed', enabled: false },
    ]);
    expect(await print('workflows', 'get', id)).toMatchObject({ id, name: 'By hand, renamed', actions: [{}] });
  });
});

describe('The client, reading every kind of resource', () => {
  it.each([
    ['profiles', { name: 'Front', scannerKind: 'FRONTEND_DAST', type: 'REST' }, /\nSCANNER +FRONTEND_DAST\n/],
    [
      'locations',
      { name: 'Paris', type: 'PRIVATE', target: 'scanner.example.com' },
      /\nTARGET +scanner\.example\.com\n/,
    ],
    ['integrations', { name: 'Code', kind: 'WEBHOOK', parameters: { url: 'https://x.example/' } }, /\nKIND +WEBHOOK\n/],
    ['tags', { name: 'production', color: '#c0392b' }, null],
  ])('lists and shows %s', async (kind, json, detail) => {
    const { id } = await make(kind, json);
    const listed = await print<Row[]>(kind, 'list', '-s', json.name.slice(0, 4));
    expect(listed.map((one) => [one.id, one['name']])).toEqual([[id, json.name]]);
    const table = await runClient([kind, 'list'], { url: app.baseUrl, key });
    expect([table.code, table.stdout]).toEqual([0, expect.stringMatching(new RegExp(`\\n${id} .* ${json.name}\\n`))]);
    if (detail === null) return;
    expect(await print(kind, 'get', id.slice(0, 23))).toMatchObject({ id, name: json.name });
    const shown = await runClient([kind, 'get', 'latest'], { url: app.baseUrl, key });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(detail)]);
  });

  it('lists issues and scans of a span of time', async () => {
    await importIssue('today');
    for (const kind of ['issues', 'scans']) {
      expect((await print<Row[]>(kind, 'list', '--since', '1h')).length).toBeGreaterThan(0);
      expect(await print<Row[]>(kind, 'list', '--until', '2020-01-01')).toEqual([]);
      const past = ['--since', '2020-01-01', '--until', '1h'];
      expect(await print<Row[]>(kind, 'list', ...past)).toEqual([]);
      await rows(
        `UPDATE ${kind} SET created_at = '2021-06-01' WHERE id = (SELECT id FROM ${kind} ORDER BY id LIMIT 1)`,
      );
      expect(await print<Row[]>(kind, 'list', ...past)).toHaveLength(1);
    }
  });
});

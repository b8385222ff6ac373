import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entriesOf, startClient } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Made {
  id: string;
}
type Event = Record<string, unknown>;

let app: TestApp;
let organization: InsertedOrganization;
let key: string;
let profile: Made;
let asset: Made;
let issue: Made;
let scan: Made;
let otherScan: Made;

async function make<T = Made>(path: string, json: unknown): Promise<T> {
  const { status, body } = await app.api.post<T>(`/api/v1/${path}`, { json, headers: { 'x-api-key': key } });
  expect(status).toBeLessThan(300);
  return body;
}

const append = (scanId: string, ...events: Event[]) => make(`scans/${scanId}/events`, events);
const event = (title: string, fields: Event = {}): Event => ({
  title,
  description: `About ${title}`,
  level: 'INFO',
  stage: 'EXECUTION',
  ...fields,
});
const snippet = { type: 'SNIPPET', snippet: { name: 'login.ts', language: 'ts', content: 'const needle = 1;' } };
const exchange = { type: 'EXCHANGE', exchange: { request: { method: 'GET', url: 'https://shop.example.com/' } } };

beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  key = await organization.key('member');
  profile = await make('profiles', { name: 'Shop front', scannerKind: 'FRONTEND_DAST', type: 'REST' });
  const other = await make('profiles', { name: 'Other', scannerKind: 'ASM_DNS', type: 'REST' });
  asset = await make('assets', { name: 'shop.example.com', type: 'DNS', class: 'HOST' });
  scan = await make('scans', { applicationId: profile.id, kind: 'FRONTEND_DAST', assetIds: [asset.id] });
  otherScan = await make('scans', { applicationId: other.id, kind: 'ASM_DNS' });
  const found = [{ name: 'Injection', severity: 'HIGH', category: 'INJECTION', assetId: asset.id }];
  ({
    issues: [issue],
  } = (await make(`scans/${scan.id}/issues`, found)) as unknown as { issues: [Made] });
  await append(
    scan.id,
    event('first', { level: 'ERROR', issueIds: [issue.id], attachments: [snippet] }),
    event('second', { level: 'WARNING', stage: 'CONFIGURATION', attachments: [exchange] }),
    event('third', { level: 'DEBUG', stage: 'AGENT_REASONING' }),
  );
  await append(otherScan.id, event('fourth', { stage: 'AGENT_ACTION', description: 'a \u001b[2J needle' }));
});
afterAll(() => app.close());

const run = (...args: string[]) => runClient(['events', ...args], { url: app.baseUrl, key });
const titles = async (...args: string[]) =>
  entriesOf(await run('list', '-o', 'json', ...args)).map(({ title }) => title);

describe('store events list, from the service', () => {
  it('prints the newest first', async () => {
    const { code, stdout } = await run('list');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect([code, rows[0]]).toEqual([0, ['ID', 'CREATED AT', 'LEVEL', 'STAGE', 'TITLE']]);
    expect(rows.slice(1).map((row) => row.slice(2))).toEqual([
      ['INFO', 'AGENT_ACTION', 'fourth'],
      ['DEBUG', 'AGENT_REASONING', 'third'],
      ['WARNING', 'CONFIGURATION', 'second'],
      ['ERROR', 'EXECUTION', 'first'],
    ]);
  });

  it('filters by every flag', async () => {
    expect(await titles('-s', 'NEEDLE')).toEqual(['fourth', 'first']);
    expect(await titles('-p', profile.id)).toEqual(['third', 'second', 'first']);
    expect(await titles('--scan-id', otherScan.id)).toEqual(['fourth']);
    expect(await titles('-a', asset.id)).toEqual(['third', 'second', 'first']);
    expect(await titles('-i', issue.id)).toEqual(['first']);
    expect(await titles('--stage', 'AGENT_ACTION')).toEqual(['fourth']);
    expect(await titles('-l', 'ERROR,WARNING')).toEqual(['second', 'first']);
    expect(await titles('--has-attachments')).toEqual(['second', 'first']);
    expect(await titles('-t', 'EXCHANGE')).toEqual(['second']);
    expect(await titles('--limit', '2')).toEqual(['fourth', 'third']);
  });

  it('filters by all flags together', async () => {
    const ids = ['-p', profile.id, '--scan-id', scan.id, '-a', asset.id, '-i', issue.id];
    const rest = ['-s', 'login', '--stage', 'EXECUTION', '-l', 'ERROR', '--has-attachments', '-t', 'SNIPPET'];
    expect(await titles(...ids, ...rest)).toEqual(['first']);
    expect(await titles(...ids, ...rest, '-l', 'INFO', '--stage', 'AGENT_ACTION')).toEqual(['first']);
    expect(await titles(...ids, '-t', 'SCREENSHOT')).toEqual([]);
  });

  it('has every field but the description', async () => {
    const [newest] = entriesOf(await run('list', '-o', 'json', '--limit', '1'));
    const fields = ['id', 'createdAt', 'level', 'stage', 'title', 'scanId', 'issuesCount', 'attachments'];
    expect(Object.keys(newest!).toSorted()).toEqual(fields.toSorted());
  });

  it('shows nothing of another organization', async () => {
    const stranger = await (await insertOrganization(app)).key('admin');
    const { code, stdout } = await runClient(['events', 'list', '-o', 'json'], { url: app.baseUrl, key: stranger });
    expect([code, stdout]).toEqual([0, '[]\n']);
  });
});

describe('store events get, from the service', () => {
  it('shows the description and the attachments', async () => {
    const [{ id } = { id: '' }] = entriesOf(await run('list', '-i', issue.id, '-o', 'json'));
    const { code, stdout } = await run('g', String(id));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /ISSUES +1\nATTACHMENTS +1\n\nDESCRIPTION\n {2}About first\n\nSNIPPET .*\n {2}login\.ts \(ts\)/,
    );
  });

  it('ends with 4 for an unknown event', async () => {
    expect((await run('get', scan.id)).code).toBe(4);
  });
});

describe('store events list --follow, from the service', () => {
  it('shows each new event once, backdated ones included', async () => {
    const running = await make('scans', { applicationId: profile.id, kind: 'FRONTEND_DAST', status: 'RUNNING' });
    await append(running.id, event('before'));
    const args = ['events', 'list', '--follow', '-o', 'json', '--scan-id', running.id];
    const client = startClient(args, { url: app.baseUrl, key });
    await until(() => client.stdout().includes('before'));
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    // Many at once, dated now and in the past, while the client polls; of more than 69, some may be refused.
    for (const part of [numbers.slice(0, 50), numbers.slice(50)]) {
      await Promise.all(
        part.map((number) => {
          const createdAt = new Date(Date.now() - (number % 3) * 86_400_000).toISOString();
          return append(running.id, event(`now ${number}`, { createdAt }));
        }),
      );
    }
    await append(running.id, event('last'));
    await until(() => client.stdout().includes('"last"'));
    client.child.kill('SIGINT');
    const { code, stdout } = await client.done;
    const seen = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { title: string }).title);
    expect(seen).toHaveLength(numbers.length + 2);
    expect(new Set(seen)).toEqual(new Set(['before', 'last', ...numbers.map((number) => `now ${number}`)]));
    expect(code).toBe(130);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoDataService } from '../../src/demo/demo-data.service.js';
import { DemoUpkeepService } from '../../src/demo/demo-upkeep.service.js';
import { FirstAdminService } from '../../src/store/accounts/first-admin.service.js';
import { type RunChoices, runClient } from '../support/client-run.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const groups = [
  'events',
  'scans',
  'issues',
  'views',
  'assets',
  'profiles',
  'integrations',
  'workflows',
  'deliveries',
  'keys',
];
const others = [
  'locations',
  'tags',
  'members',
  'organization',
  'whoami',
  'completion',
  'login',
  'doctor',
  'mcp',
  'contexts',
  'api',
  'logout',
];
/** These never end; events-follow.test.ts and scans-watch.test.ts cover them. */
const endless = /--follow|scans watch/;

const sarif = {
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'CodeLook' } }, results: [{ ruleId: 'R1', message: { text: 'Unbound' } }] }],
};
const alert = {
  pluginid: '1',
  alert: 'Header missing',
  riskcode: '1',
  instances: [{ uri: 'https://shop.example.com/' }],
};
const zap = { '@version': '2.15.0', site: [{ '@name': 'https://shop.example.com', alerts: [alert] }] };
const nuclei = '{"template-id":"t","host":"https://shop.example.com","info":{"name":"n","severity":"low"}}\n';
const files: Record<string, string> = {
  'results.sarif': JSON.stringify(sarif),
  'zap.json': JSON.stringify(zap),
  '.store-gate.yml': 'failOn: high\nnewOnly: true\n',
};
/** Other files that the examples expect in their folder. */
const written = new Set(['workflow.json', 'gate.xml', 'issues.csv', 'report.html']);
/** The pipeline names the asset if a report does not. */
const pipeline = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'harbour/shop', GITHUB_SHA: 'a'.repeat(40) };

let app: TestApp;
let key: string;
let folder: string;
let workflow: string;
let demoWorkflow: string;

beforeAll(async () => {
  app = await startTestApp({ env: { DEMO_DATA: 'true' }, jobs: true });
  await app.nest.get(DemoDataService).loadOnce();
  await app.nest.get(FirstAdminService).ensure({
    username: 'admin',
    email: 'admin@example.com',
    password: 'correct-horse-7',
  });
  key = (await app.nest.get(DemoUpkeepService).openOrganization()) ?? '';
  folder = await mkdtemp(join(tmpdir(), 'store-examples-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const { stdout } = await run(['workflows', 'get', 'latest', '-o', 'json']);
  demoWorkflow = (JSON.parse(stdout) as { id: string }).id;
  workflow = withoutSecrets(stdout);
  await writeFile(join(folder, 'workflow.json'), workflow);
  for (const name of ['default', 'staging']) await run(['login', app.baseUrl, '--name', name], { stdin: key });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** A new workflow can have neither another one's masked secrets nor its address on this machine. */
function withoutSecrets(json: string): string {
  const read = JSON.parse(json) as object;
  const parameters = { url: 'https://hooks.example.com/scans' };
  return JSON.stringify({ ...read, actions: [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters }] });
}

const run = (args: string[], choices: RunChoices = {}) =>
  runClient(args, { url: app.baseUrl, key, env: { HOME: folder, ...pipeline }, ...choices });

/** Splits a shell line into words, as far as the examples need. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? '');
}

interface Example {
  line: string;
  args: string[];
  stdin?: string;
}

function pipedInto(line: string): string {
  if (line.includes('< key.txt')) return key;
  return line.includes('nuclei') ? nuclei : workflow;
}

/** The first client call in a line of the help, with its input from a pipe or file. */
function exampleOf(line: string): Example {
  const stdin = /^ *echo '([^']*)'/.exec(line)?.[1] ?? pipedInto(line);
  const [, command = ''] = /\bstore ((?:"[^"]*"|'[^']*'|[^|&<>#;)'"])*)/.exec(line) ?? [];
  const args = wordsOf(command).map((word) => (word in files || written.has(word) ? join(folder, word) : word));
  return { line, args, stdin };
}

async function examplesOf(path: string[]): Promise<Example[]> {
  const { stdout } = await runClient([...path, '--help']);
  const below = [...(/Commands:\n([^]*?)(\n\n|$)/.exec(stdout)?.[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)];
  const names = below.map(([, name = '']) => name).filter((name) => name !== 'help');
  if (names.length > 0) return (await Promise.all(names.map((name) => examplesOf([...path, name])))).flat();
  const lines = (stdout.split('\nExamples:\n')[1] ?? '').split('\n').filter((line) => /\bstore /.test(line));
  return lines.map(exampleOf);
}

/** Replaces the id in the help by the beginning of the newest one's. */
async function withIds(args: string[]): Promise<string[]> {
  if (!args.some((arg) => arg.startsWith('01981c5e'))) return args;
  const [group = ''] = args;
  const { stdout } = await run([group, 'list', '--limit', '1', '-o', 'json']);
  const [{ id }] = JSON.parse(stdout) as [{ id: string }];
  return args.map((arg) => (arg.startsWith('01981c5e') ? id.slice(0, Math.max(arg.length, 24)) : arg));
}

async function failuresOf(examples: Example[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { line, args, ...rest } of examples) {
    if (endless.test(line)) continue;
    await settledDeliveries();
    const { code, stdout, stderr } = await run(await withIds(args), rest);
    const hasPrinted =
      stdout !== '' || args[1] === 'export' || ['login', 'logout', 'contexts', 'mcp'].includes(args[0] ?? '');
    if (code !== 0 || !hasPrinted) failures.push(`${line}: ${code} ${stderr}`);
  }
  return failures;
}

/** Waits until no delivery is being sent, as that one cannot be replayed. */
async function settledDeliveries(): Promise<void> {
  const sending = `SELECT FROM webhook_deliveries WHERE status = 'PENDING'
    UNION ALL SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL`;
  await until(async () => (await app.database.rows(sending)).length === 0);
}

/** A delivery that can be replayed: the service sends nothing to the demo's receiver on this machine. */
async function exhaustedDelivery(): Promise<void> {
  await run(['workflows', 'run', demoWorkflow]);
  const exhaust = `UPDATE webhook_deliveries SET status = 'EXHAUSTED', next_attempt_at = NULL, finished_at = now()
    WHERE id = (SELECT id FROM webhook_deliveries ORDER BY id DESC LIMIT 1) AND status = 'RETRYING' RETURNING id`;
  await until(async () => (await app.database.rows(exhaust)).length > 0);
}

describe('The examples of the help', () => {
  it.each([...groups, ...others])('of `store %s` work on the demo data', async (group) => {
    const examples = await examplesOf([group]);
    if (group === 'deliveries') await exhaustedDelivery();
    expect(examples.length).toBeGreaterThan(0);
    const local = examples.map((example) => ({
      ...example,
      args: example.args.map((arg) => (arg === 'http://127.0.0.1:3000' ? app.baseUrl : arg)),
    }));
    // Without a terminal, plain `store login` has nobody to ask, and the demo has no provider to sign in with.
    expect(
      await failuresOf(local.filter(({ line }) => line.trim() !== 'store login' && !line.includes('--provider'))),
    ).toEqual([]);
  });
});

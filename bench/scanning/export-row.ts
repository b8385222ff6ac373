import { defaultVariant } from '../../src/scanning/webhook-export/default-variant.statements.js';
import type { Arena } from '../arena.js';
import type { BenchRow, Contender, Measurement } from '../bench-row.js';
import type { Contestant, Side } from '../contestants.js';
import type { Pace } from '../pace.js';
import { benchId, organizationId } from './fill-organization.js';
import { Receiver } from './receiver.js';

const side: Side = { kind: 'service', database: 'exports' };
const patienceMs = 120_000;
const receiver = new Receiver();
let receiverUrl: Promise<string> | undefined;
let workflow: Promise<string> | undefined;

/** The address of the receiver that both contenders send to. */
function targetUrl(): Promise<string> {
  receiverUrl ??= receiver.open();
  return receiverUrl;
}

async function post<T>({ baseUrl, asOrganization }: Contestant, path: string, body?: object): Promise<T> {
  const response = await fetch(`${baseUrl}/api/v1/${path}`, {
    method: 'POST',
    headers: { ...asOrganization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer as T;
}

/** A workflow that sends all issues, by hand. */
async function makeWorkflow(contestant: Contestant): Promise<string> {
  const parameters = { url: await targetUrl(), resources: ['issues'] };
  const actions = [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters }];
  const made = await post<{ id: string }>(contestant, 'workflows', {
    name: 'Bench',
    trigger: { type: 'MANUAL' },
    actions,
  });
  return made.id;
}

async function timed(pace: Pace, start: () => Promise<unknown>): Promise<Measurement> {
  const delivered = receiver.next(patienceMs);
  const started = performance.now();
  const [bytes] = await Promise.all([delivered, start()]);
  const seconds = (performance.now() - started) / 1_000;
  if (bytes < pace.sizes.issues * 500) throw new Error(`Only ${bytes} bytes were delivered`);
  return { rate: pace.sizes.issues / seconds, p99Milliseconds: null, failures: [] };
}

const exporting: Contender = {
  name: 'service',
  async measure(arena, pace) {
    const contestant = await arena.contestant(side);
    workflow ??= makeWorkflow(contestant);
    const id = await workflow;
    return timed(pace, () => post(contestant, `workflows/${id}/run`));
  },
};

async function sendAll(arena: Arena, ids: string[]): Promise<void> {
  const client = await arena.database('exports');
  const sql = `SELECT json::json AS issue FROM (${defaultVariant.issues}) AS built ORDER BY ord`;
  const { rows } = await client.query<{ issue: object }>(sql, [organizationId, ids]);
  const none = { assets: [], scans: [], profiles: [], locations: [], integrations: [] };
  const body = JSON.stringify({ issues: rows.map(({ issue }) => issue), ...none });
  await fetch(await targetUrl(), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

const sending: Contender = {
  name: 'one query',
  async measure(arena, pace) {
    await arena.database('exports');
    const ids = Array.from({ length: pace.sizes.issues }, (_, n) => benchId('issue', n));
    return timed(pace, () => sendAll(arena, ids));
  },
};

export const exportRow: BenchRow = {
  name: 'export',
  what: 'all issues of an organization, built and delivered to a webhook',
  connections: 1,
  unit: 'issues',
  first: exporting,
  second: sending,
  bar: 0.75,
  watched: side,
};

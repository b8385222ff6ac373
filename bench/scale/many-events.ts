import type { Client } from 'pg';
import { monthNamed } from '../../src/database/months.js';
import { hashApiKey, beginningOfApiKey } from '../../src/platform/crypto/api-keys.js';
import type { Arena } from '../arena.js';
import { headersOf } from '../contestants.js';
import type { DatabaseName } from '../databases.js';
import { type Asked, ask } from '../load.js';
import { type Sizes, smokePace } from '../pace.js';
import { benchId, organizationId } from '../scanning/fill-organization.js';
import { whole } from '../scanning/list-rows.js';
import { ClusterNode } from './cluster.js';

const setting = 'EVENTS';
const load = { seconds: 5 };
const oneAtATime = { ...whole, connections: 1 };
const otherKey = `ssk_${'other'.repeat(8)}`;
const otherId = benchId('organization', 2);

/** Few events and many, as EVENTS has them: 2000000,20000000. */
export function eventSizes(): Sizes {
  const [few, many] = (process.env[setting] ?? '').split(',').map(Number);
  return few && many ? { ...smokePace.sizes, fewEvents: few, events: many } : smokePace.sizes;
}

// Another organization, with one event for each nine of the first one, spread over the same time.
const otherSql = `
INSERT INTO organizations (id, name) VALUES ('${otherId}', 'Other');
INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash)
VALUES ('${benchId('key', 2)}', '${otherId}', 'other', 'admin', '${beginningOfApiKey(otherKey)}', '${hashApiKey(otherKey)}');
INSERT INTO profiles (id, organization_id, name, scanner_kind, type)
VALUES ('${benchId('profile', 1_000)}', '${otherId}', 'Profile', 'FRONTEND_DAST', 'REST');
INSERT INTO scans (id, organization_id, application_id, kind, status)
VALUES ('${benchId('scan', 1_000)}', '${otherId}', '${benchId('profile', 1_000)}', 'FRONTEND_DAST', 'RUNNING');
INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description, asset_ids,
                         issue_ids, attachments, attachment_types, attachment_text)
SELECT overlay(id::text placing '9' from 20)::uuid, created_at, '${otherId}', '${benchId('scan', 1_000)}',
       '${benchId('profile', 1_000)}', level, stage, title, description, '{}', '{}', attachments, attachment_types,
       attachment_text
  FROM scan_events WHERE organization_id = '${organizationId}' AND right(id::text, 1) IN ('0', '9') AND random() < 0.89`;

async function lists(asked: Asked, path = whole): Promise<{ rate: number; p99: number }> {
  await ask(path, asked, load); // as warm-up
  const { rate, p99Milliseconds, failures } = await ask(path, asked, load);
  if (failures.length > 0) throw new Error(`${failures.join(', ')}: the figures say nothing`);
  return { rate, p99: p99Milliseconds ?? 0 };
}

/** The oldest month of events with what is counted of it, in one transaction as housekeeping drops it, while they are listed. */
async function dropMonth(client: Client, asked: Asked): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'scan_events'::regclass`,
  );
  const months = rows.map(({ name }) => monthNamed('scan_events', name)).filter((month) => month !== null);
  const [oldest] = months.sort((one, other) => one.from.getTime() - other.from.getTime());
  if (!oldest) throw new Error('There is no month of events');
  const listing = ask(whole, asked, load);
  const began = performance.now();
  await client.query(`BEGIN; SET LOCAL lock_timeout = '2s'; DROP TABLE ${oldest.name}`);
  await client.query('DELETE FROM scan_event_counts WHERE hour >= $1 AND hour < $2', [oldest.from, oldest.to]);
  await client.query('COMMIT');
  const tookMs = performance.now() - began;
  const { failures } = await listing;
  if (failures.length > 0) throw new Error(`While a month was dropped, ${failures.join(', ')}`);
  return tookMs;
}

/** What many events cost those who list them, and those who have few beside somebody who has many. */
export async function manyEvents(arena: Arena): Promise<string[]> {
  const nodes: ClusterNode[] = [];
  const startOn = async (name: DatabaseName): Promise<[Client, Asked]> => {
    const client = await arena.database(name);
    const node = await ClusterNode.on(arena.urlOf(name), arena.folder, {});
    nodes.push(node);
    await node.start();
    return [client, { baseUrl: node.baseUrl, ...headersOf('service') }];
  };
  try {
    const [, few] = await startOn('few_events');
    const [client, many] = await startOn('events');
    const [small, large] = [await lists(few), await lists(many)];
    await client.query(otherSql);
    await client.query('VACUUM ANALYZE');
    const other = { ...many, asOrganization: { 'x-api-key': otherKey } };
    const alone = await lists(few, oneAtATime);
    const beside = await lists(other, oneAtATime);
    const { fewEvents, events } = eventSizes();
    const counts = `${fewEvents.toLocaleString('en')} and ${events.toLocaleString('en')} events`;
    const ratio = (large.rate / small.rate).toFixed(2);
    return [
      `lists at ${counts}: ${Math.round(small.rate)} and ${Math.round(large.rate)} a second: ${ratio}`,
      `p99 of an organization alone ${alone.p99} ms, of one beside nine tenths of another ${beside.p99} ms`,
      `the oldest month dropped in ${Math.round(await dropMonth(client, many))} ms`,
    ];
  } finally {
    for (const node of nodes) await node.stop('SIGINT');
  }
}

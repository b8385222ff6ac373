import type { BenchRow } from '../bench-row.js';
import type { Side } from '../contestants.js';
import { httpRow, pathsRow } from '../http-row.js';
import { type BenchPath, inTurn } from '../paths.js';
import { caseCount, issueCount } from './fill-events.js';
import { assetCount, benchId, profileCount, scanCount } from './fill-organization.js';

const connections = 32;
const service: Side = { kind: 'service', database: 'events' };
const baseline: Side = { kind: 'baseline', database: 'events' };
const few: Side = { kind: 'service', database: 'few_events' };

const stages = ['CONFIGURATION', 'EXECUTION', 'AGENT_REASONING', 'AGENT_ACTION'];
const levels = ['ERROR', 'WARNING', 'INFO', 'DEBUG'];
const types = ['EXCHANGE', 'SNIPPET', 'SCREENSHOT'];

const oneOf = (values: string[], n: number) => values[n % values.length] ?? '';

/** Each filter alone: up to a hundred values in turn. */
const filters: Record<string, (n: number) => string> = {
  search: (n) => `search=${encodeURIComponent(`case ${(n * 37) % caseCount} of`)}`,
  profileIds: (n) => `profileIds=${benchId('profile', n % profileCount)}`,
  scanIds: (n) => `scanIds=${benchId('scan', (n * 3) % scanCount)}`,
  assetIds: (n) => `assetIds=${benchId('asset', (n * 7) % assetCount)}`,
  issueIds: (n) => `issueIds=${benchId('issue', (n * 37) % issueCount)}`,
  stages: (n) => `stages=${oneOf(stages, n)}`,
  levels: (n) => `levels=${oneOf(levels, n)}`,
  hasAttachments: (n) => `hasAttachments=${n % 2 === 0}`,
  attachments: (n) => `attachments=${oneOf(types, n)}`,
};

/** A page of the list that begins `n` days ago. */
function daysAgo(n: number): string {
  const position = `${Date.now() - n * 86_400_000}_${benchId('organization', 0)}`;
  return `cursor=${Buffer.from(position).toString('base64url')}`;
}

function daysBefore(n: number): string {
  return new Date(Date.now() - n * 86_400_000).toISOString();
}

function path(what: string, query: (n: number) => string): BenchPath {
  return { what, connections, requestsOf: inTurn((n) => `/api/v1/events?${query(n)}`, 'organization') };
}

/** The last 350 days, by day. */
const histogram: BenchPath = {
  what: 'the counts of all events by day and level, beside those of a few events',
  connections: 1,
  requestsOf: inTurn((n) => `/api/v1/events/histogram?interval=day&from=${daysBefore(350 - (n % 7))}`, 'organization'),
};

/** Any page of the list. */
export const whole = path('50 events without a filter, from any day on', daysAgo);

/** The cost of a filter: by asset, and by a text that all events contain, each compared with no filter. */
const unfiltered = path('no filter', daysAgo);
const ofAsset = path('50 events by an asset, from any day on', (n) => `${filters['assetIds']?.(n)}&${daysAgo(n)}`);
const ofText = path('50 events by a text that all have, from any day on', (n) => `search=answered&${daysAgo(n)}`);

export const listRows: BenchRow[] = [
  ...Object.entries(filters).map(([filter, query]) =>
    httpRow(`events-list-${filter}`, path(`50 events by ${filter} alone`, query), [service, baseline], 0.5),
  ),
  httpRow('events-list-none', whole, [service, baseline], 0.5),
  pathsRow('events-list-asset', [ofAsset, unfiltered], service, 0.5),
  pathsRow('events-list-text', [ofText, unfiltered], service, 0.5),
  httpRow('events-histogram', histogram, [service, few], 0.5),
  httpRow('events-list-size', whole, [service, few], 0.7),
];

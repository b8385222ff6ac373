import type { BenchRow } from '../bench-row.js';
import type { Side } from '../contestants.js';
import { httpRow } from '../http-row.js';
import { type BenchPath, inTurn } from '../paths.js';
import { assetCount, benchId } from './fill-organization.js';

const million: Side = { kind: 'service', database: 'issues' };
const few: Side = { kind: 'service', database: 'few_issues' };

/** Each list of a page of issues; of a million, it is to cost about what it costs of few. */
const lists: Record<string, (n: number) => string> = {
  created: () => 'size=50',
  severity: () => 'sort=severity',
  'last-seen': () => 'sort=last-seen',
  due: () => 'sort=due',
  overdue: () => 'sort=due&overdue=true',
  rule: (n) => `rule=test-${n % 100}`,
  asset: (n) => `assetIds=${benchId('asset', (n * 7) % assetCount)}`,
};

function path(what: string, query: (n: number) => string, connections = 32, below = ''): BenchPath {
  return { what, connections, requestsOf: inTurn((n) => `/api/v1/issues${below}?${query(n)}`, 'organization') };
}

export const issueListRows: BenchRow[] = [
  ...Object.entries(lists).map(([list, query]) =>
    httpRow(`issues-list-${list}`, path(`50 issues, by ${list}`, query), [million, few], 0.5),
  ),
  httpRow(
    'issues-groups',
    path('all issues by rule, beside those of few', () => 'by=rule', 1, '/groups'),
    [million, few],
    null,
  ),
  httpRow(
    'issues-metrics',
    path('the metrics of all issues, beside those of few', () => 'weeks=13', 1, '/metrics'),
    [million, few],
    null,
  ),
];

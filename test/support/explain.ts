import pg from 'pg';
import { planSettings } from '../../src/database/connections/connection-extras.js';
import type { TestDatabase } from './test-database.js';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Actual Loops'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** A plan node that read a table or one of its indexes, with the counts of EXPLAIN ANALYZE. */
export interface TableRead extends PlanNode {
  'Relation Name': string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
}

/** The suffix of each table's name on a server of Citus. */
const numberOfShard = /_1\d{5}$/;

function scansIn(plan: PlanNode): string[] {
  const what = (plan['Index Name'] ?? plan['Relation Name'])?.replace(numberOfShard, '');
  const own = /Scan/.test(plan['Node Type']) ? [what ? `${plan['Node Type']} of ${what}` : plan['Node Type']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}

/** The conditions with which the plan searches an index. */
function conditionsIn(plan: PlanNode, index: string): string[] {
  const own = plan['Index Name'] === index ? [plan['Index Cond'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((inner) => conditionsIn(inner, index))];
}

/** The conditions with which the plan, made as for `scansOf`, searches an index. */
export async function conditionsOf(
  database: TestDatabase,
  sql: string,
  values: unknown[],
  index: string,
): Promise<string[]> {
  return (await plansOf(database, sql, values)).flatMap((plan) => conditionsIn(plan, index));
}

/**
 * The scans in the plan that PostgreSQL makes of a statement for the service's requests, given these values: each with its
 * index or table.
 */
export async function scansOf(database: TestDatabase, sql: string, values: unknown[]): Promise<string[]> {
  return (await plansOf(database, sql, values)).flatMap(scansIn);
}

/** How the statement reads tables when run as the service's requests run it, with a plan for these values. */
export async function readsOf(database: TestDatabase, sql: string, values: unknown[]): Promise<TableRead[]> {
  return readsIn(await plansOf(database, sql, values, 'ANALYZE, '));
}

/** Like `readsOf`, with the generic plan that PostgreSQL may keep for a prepared statement. */
export async function readsOfPrepared(database: TestDatabase, sql: string, values: unknown[]): Promise<TableRead[]> {
  return asRequests(database, async (client) => {
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE asked AS ${sql}`);
    return readsIn(
      await plansIn(client, `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked(${values.map(literal).join(',')})`),
    );
  });
}

/** How many pairs of rows the joins of a statement compared in vain. It runs the statement, with a plan for these values. */
export async function comparedInVain(database: TestDatabase, sql: string, values: unknown[]): Promise<number> {
  const plans = await plansOf(database, sql, values, 'ANALYZE, ');
  const comparedIn = (node: PlanNode): number =>
    (node.Plans ?? []).reduce(
      (sum, inner) => sum + comparedIn(inner),
      (node['Rows Removed by Join Filter'] ?? 0) * (node['Actual Loops'] ?? 0),
    );
  return plans.reduce((sum, plan) => sum + comparedIn(plan), 0);
}

/** How many of `times` calls of a prepared statement PostgreSQL plans anew. */
export async function plannedAnew(
  database: TestDatabase,
  text: string,
  values: unknown[],
  times: number,
): Promise<number> {
  return asRequests(database, async (client) => {
    for (let time = 0; time < times; time++) await client.query({ name: 'asked', text, values });
    const { rows } = await client.query<{ anew: number }>(
      `SELECT custom_plans::int AS anew FROM pg_prepared_statements WHERE name = 'asked'`,
    );
    return rows[0]?.anew ?? times;
  });
}

function readsIn(plans: PlanNode[]): TableRead[] {
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  const nodes = plans.flatMap(nodesOf) as TableRead[];
  return nodes.filter((node) => node['Relation Name'] && node['Actual Loops'] > 0);
}

function literal(value: unknown): string {
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
}

/** The reads that scan a whole table. */
export function walksIn(reads: TableRead[]): TableRead[] {
  return reads.filter((read) => read['Node Type'].includes('Seq Scan'));
}

/** The number of rows that were read. */
export function rowsIn(reads: TableRead[]): number {
  const rows = reads.map(
    (read) => (read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)) * read['Actual Loops'],
  );
  return rows.reduce((sum, one) => sum + one, 0);
}

function plansOf(database: TestDatabase, sql: string, values: unknown[], options = ''): Promise<PlanNode[]> {
  return asRequests(database, (client) => plansIn(client, `EXPLAIN (${options}FORMAT JSON) ${sql}`, values));
}

async function plansIn(client: pg.Client, sql: string, values: unknown[] = []): Promise<PlanNode[]> {
  type Row = { 'QUERY PLAN': [{ Plan: PlanNode }] };
  const { rows } = await client.query<Row>(sql, values);
  return rows.flatMap((row) => plansWithin(row['QUERY PLAN'][0]));
}

/** The plans in a plan's JSON: the plan itself, or those of the servers to which Citus hands the parts. */
function plansWithin(json: unknown): PlanNode[] {
  if (typeof json !== 'object' || json === null) return [];
  const { Plan: plan, ...rest } = json as { Plan?: PlanNode & { 'Distributed Query'?: unknown } };
  if (!plan) return Object.values(rest).flatMap(plansWithin);
  const { 'Distributed Query': parts } = plan;
  return parts === undefined ? [plan] : plansWithin(parts);
}

/** Runs `work` on a connection that plans as those of requests do. */
async function asRequests<T>({ url }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(planSettings);
    return await work(client);
  } finally {
    await client.end();
  }
}

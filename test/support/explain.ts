import pg from 'pg';
import { planSettings } from '../../src/database/connection-extras.js';
import type { TestDatabase } from './test-database.js';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** A node that looked into a table or an index of it, as EXPLAIN ANALYZE counted. */
export interface TableRead extends PlanNode {
  'Relation Name': string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
}

function scansIn(plan: PlanNode): string[] {
  const what = plan['Index Name'] ?? plan['Relation Name'];
  const own = /Scan/.test(plan['Node Type']) ? [what ? `${plan['Node Type']} of ${what}` : plan['Node Type']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}

/** The conditions by which the plan looks into an index. */
function conditionsIn(plan: PlanNode, index: string): string[] {
  const own = plan['Index Name'] === index ? [plan['Index Cond'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((inner) => conditionsIn(inner, index))];
}

/** By which conditions the plan, made as for `scansOf`, looks into an index. */
export async function conditionsOf(
  database: TestDatabase,
  sql: string,
  values: unknown[],
  index: string,
): Promise<string[]> {
  return (await plansOf(database, sql, values)).flatMap((plan) => conditionsIn(plan, index));
}

/**
 * The scans of the plan that PostgreSQL makes of a statement for the service's requests, knowing these values: each with
 * its index or table.
 */
export async function scansOf(database: TestDatabase, sql: string, values: unknown[]): Promise<string[]> {
  return (await plansOf(database, sql, values)).flatMap(scansIn);
}

/** How the statement, run as the service's requests run theirs, reads tables. */
export async function readsOf(database: TestDatabase, sql: string, values: unknown[]): Promise<TableRead[]> {
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  const nodes = (await plansOf(database, sql, values, 'ANALYZE, ')).flatMap(nodesOf) as TableRead[];
  return nodes.filter((node) => node['Relation Name'] && node['Actual Loops'] > 0);
}

/** The reads that go through a whole table. */
export function walksIn(reads: TableRead[]): TableRead[] {
  return reads.filter((read) => read['Node Type'].includes('Seq Scan'));
}

/** How many rows were looked at. */
export function rowsIn(reads: TableRead[]): number {
  const rows = reads.map(
    (read) => (read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)) * read['Actual Loops'],
  );
  return rows.reduce((sum, one) => sum + one, 0);
}

async function plansOf({ url }: TestDatabase, sql: string, values: unknown[], options = ''): Promise<PlanNode[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(planSettings);
    type Row = { 'QUERY PLAN': [{ Plan: PlanNode }] };
    const { rows } = await client.query<Row>(`EXPLAIN (${options}FORMAT JSON) ${sql}`, values);
    return rows.map((row) => row['QUERY PLAN'][0].Plan);
  } finally {
    await client.end();
  }
}

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

async function plansOf({ url }: TestDatabase, sql: string, values: unknown[]): Promise<PlanNode[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(planSettings);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    return rows.map((row) => row['QUERY PLAN'][0].Plan);
  } finally {
    await client.end();
  }
}

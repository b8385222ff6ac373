import pg from 'pg';
import { planSettings } from '../../src/database/connection-extras.js';
import type { TestDatabase } from './test-database.js';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

function scansIn(plan: PlanNode): string[] {
  const what = plan['Index Name'] ?? plan['Relation Name'];
  const own = /Scan/.test(plan['Node Type']) ? [what ? `${plan['Node Type']} of ${what}` : plan['Node Type']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}

/**
 * The scans of the plan that PostgreSQL makes of a statement for the service's requests, knowing these values: each with
 * its index or table.
 */
export async function scansOf({ url }: TestDatabase, sql: string, values: unknown[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(planSettings);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    return rows.flatMap((row) => scansIn(row['QUERY PLAN'][0].Plan));
  } finally {
    await client.end();
  }
}

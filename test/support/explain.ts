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

/** The scans of the plan that PostgreSQL makes of a statement, knowing these values: each with its index or table. */
export async function scansOf(database: TestDatabase, sql: string, values: unknown[]): Promise<string[]> {
  const [row] = await database.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  return row ? scansIn(row['QUERY PLAN'][0].Plan) : [];
}

import type { Violation } from './history.js';
import type { World } from './world.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Rows that go by themselves, by `docs/data.md`. */
interface Kept {
  table: string;
  /** What tells one row from the other. */
  id: string;
  /** From when on a row has stood long enough, as SQL. */
  since: string;
  /** Which rows go by themselves, as SQL. */
  where?: string;
  /** How long a row stands: none goes before. */
  keptMs: number;
  /** How much longer it may stand: until its task comes round. */
  slackMs: number;
}

const tables: readonly Kept[] = [
  { table: 'store_events', id: 'id', since: 'created_at', keptMs: 30 * dayMs, slackMs: 2 * dayMs },
  { table: 'idempotency_keys', id: 'key', since: 'created_at', keptMs: dayMs, slackMs: 2 * dayMs },
  { table: 'noted_requests', id: 'id', since: 'created_at', keptMs: dayMs, slackMs: dayMs },
  { table: 'sessions', id: 'id', since: 'expires_at', keptMs: 0, slackMs: dayMs },
  { table: 'workflow_gatherings', id: 'run_id', since: 'due_at', keptMs: 0, slackMs: dayMs },
  {
    table: 'graphile_worker._private_jobs',
    id: 'id',
    since: 'updated_at',
    where: 'attempts >= max_attempts AND key IS NULL',
    keptMs: 7 * dayMs,
    slackMs: 2 * dayMs,
  },
];

/** Steps of a quiet month, from one to the next. */
const quietDays = 33;

/** Lets a month pass in which nobody does anything, and says which rows went too early and which are still there. */
export async function judgeGrowth(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (let day = 0; day < quietDays; day++) {
    const before = await Promise.all(tables.map((kept) => agesOf(world, kept)));
    await world.advance(dayMs);
    await world.mend();
    // What a task finds to do may take it several turns.
    for (let turn = 0; turn < 2; turn++)
      await world.turnstile.step(world.livingNodes.map((node) => world.workerOf(node)));
    for (const [place, kept] of tables.entries())
      violations.push(...wentEarly(kept, before[place] ?? new Map(), await agesOf(world, kept)));
  }
  for (const kept of tables) {
    for (const [id, age] of await agesOf(world, kept)) {
      if (age <= kept.keptMs + kept.slackMs) continue;
      violations.push({
        rule: 'growth/goes',
        message: `${kept.table} keeps a row for ${inDays(kept.keptMs)}, and ${id} is there after ${inDays(age)}`,
      });
    }
  }
  return violations;
}

/** The rows of a table, and how long each has stood. */
async function agesOf(world: World, { table, id, since, where = 'true' }: Kept): Promise<Map<string, number>> {
  const rows = await world.rows(
    `SELECT ${id}::text AS id, extract(epoch FROM now() - ${since})::float8 * 1000 AS age FROM ${table} WHERE ${where}`,
  );
  return new Map(rows.map((row) => [String(row['id']), Number(row['age'])]));
}

function wentEarly(kept: Kept, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Violation[] {
  return [...before]
    .filter(([id, age]) => !after.has(id) && age + dayMs < kept.keptMs)
    .map(([id, age]) => ({
      rule: 'growth/stays',
      message: `${kept.table} keeps a row for ${inDays(kept.keptMs)}, and ${id} went after ${inDays(age + dayMs)}`,
    }));
}

function inDays(milliseconds: number): string {
  return `${(milliseconds / dayMs).toFixed(1)} days`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { realNow } from './clock.js';
import type { Violation } from './history.js';
import type { World } from './world.js';

const minuteMs = 60_000;
const daySeconds = 86_400;
/** Longer than the last of all retries: of webhooks 28 hours, of jobs and mails a day and more. */
const longestDays = 6;
/** How many rounds may leave a due job as it is. */
const mostIdle = 10;
/**
 * Recurring tasks are always planned. One that planned its next time and then failed leaves a job behind that is not tried
 * again: it is told as given up, and removed after some days.
 */
const openJobs = `
  SELECT task_identifier AS task, attempts, max_attempts, locked_by, last_error,
         extract(epoch FROM run_at - now())::float8 AS due
    FROM graphile_worker.jobs
   WHERE (key IS NULL OR key <> task_identifier) AND NOT (task_identifier = ANY ($1) AND locked_by IS NULL)`;

const openDeliveries = `
  SELECT id, status, next_attempt_at FROM webhook_deliveries WHERE status IN ('PENDING', 'RETRYING')`;
const connections = `
  SELECT count(*)::integer AS all, count(*) FILTER (WHERE state LIKE 'idle in transaction%')::integer AS "inTransaction"
    FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`;
/** Of both nodes and the simulator: the pools, what requests share, and what listens, watches and proves to be alive. */
const mostConnections = 2 * 30 + 4;
/** How long PostgreSQL may take, by the real clock, to notice the end of a connection. */
const noticeMs = 10_000;
const openRuns = `SELECT id, status, runs_at FROM workflow_runs WHERE status = 'PENDING' AND runs_at <= now()`;

/**
 * Lets time pass, without faults, until nothing is left to do, and says what has not ended by itself: jobs, deliveries, tables
 * that grew, connections that stay.
 */
export async function judgeLife(world: World): Promise<Violation[]> {
  await settle(world);
  const violations: Violation[] = [];
  for (const job of await world.rows(openJobs, [world.recurringTasks])) {
    violations.push({
      rule: 'liveness/jobs',
      message: `After ${longestDays} quiet days a job of ${String(job['task'])} is still open: ${JSON.stringify(job)}`,
    });
  }
  for (const row of await world.rows(openDeliveries)) {
    violations.push({ rule: 'liveness/deliveries', message: `A delivery is still under way: ${JSON.stringify(row)}` });
  }
  for (const row of await world.rows(openRuns)) {
    violations.push({ rule: 'liveness/runs', message: `A run of a workflow is still to come: ${JSON.stringify(row)}` });
  }
  return [...violations, ...(await judgeConnections(world))];
}

/** PostgreSQL may take a moment to notice the end of the last ones. */
async function judgeConnections(world: World): Promise<Violation[]> {
  const begun = realNow();
  for (;;) {
    const [open] = await world.rows(connections);
    const [all, inTransaction] = [Number(open?.['all']), Number(open?.['inTransaction'])];
    if (inTransaction === 0 && all <= mostConnections) return [];
    const message = `After quiet days there are ${all} connections, ${inTransaction} of them within a transaction`;
    if (realNow() - begun > noticeMs) return [{ rule: 'liveness/connections', message }];
    await sleep(50);
  }
}

async function settle(world: World): Promise<void> {
  const end = world.clock.ms + longestDays * 24 * 60 * minuteMs;
  for (let idle = 0; world.clock.ms < end && idle < mostIdle; idle++) {
    await world.advance(20_000);
    await world.mend();
    await world.turnstile.step(world.livingNodes.map((node) => world.workerOf(node)));
    const jobs = await world.rows(openJobs, [world.recurringTasks]);
    const tries = jobs.filter(({ attempts, max_attempts: most }) => Number(attempts) < Number(most));
    // The days pass in any case: what recurring tasks end, such as acceptances, must have ended too.
    const next = Math.min(daySeconds, ...tries.map(({ due }) => Number(due)));
    if (next <= 0) continue;
    idle = 0;
    await world.advance(next * 1_000);
  }
}

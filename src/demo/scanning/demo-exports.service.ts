import { Injectable } from '@nestjs/common';
import {
  daysAfter,
  daysBefore,
  type DemoOutcome,
  named,
  outcomesOfScans,
  receiverUrl,
  sentByHand,
  workflows,
} from '@store-service/demo';
import { demoIdAt } from '../demo-ids.js';
import { PastExportsService } from '../../scanning/webhook-export/past-exports.service.js';
import { DemoRowsRepository } from '../demo-rows.repository.js';
import type { Owner } from './estate-rows.js';
import type { PlacedIssue } from './issue-rows.js';

type Ids = ReadonlyMap<string, string>;

/** A run of one of the demo's workflows, and the outcome of its delivery. */
interface PastRun {
  trigger: 'NEW_ISSUE' | 'MANUAL';
  at: Date;
  /** The ids of its issues. */
  subjects: string[];
  outcome: DemoOutcome;
}

/** The demo's organization, once it is written. `actions` are by their workflows' names. */
export interface DemoOrganization {
  owner: Owner;
  ids: { workflows: Ids; actions: Ids; scans: Ids };
  issues: readonly PlacedIssue[];
}

const serious = new Set(['CRITICAL', 'HIGH']);
const secondsOfDay = 86_400;

/** The past of the demo's workflows: runs with their frozen payloads, and deliveries with their attempts. */
@Injectable()
export class DemoExportsService {
  constructor(
    private readonly rows: DemoRowsRepository,
    private readonly exports: PastExportsService,
  ) {}

  /** Writes them, once the things that they sent are written. */
  async load({ owner, ids, issues }: DemoOrganization): Promise<void> {
    const { organizationId, now } = owner;
    const runs = [...runsOfScans(ids.scans, issues), runByHand(now)].map((run, number) =>
      placed(run, ids, { number, now }),
    );
    const rows = runs.map(({ id, workflowId, at, trigger, subjects }) => {
      const what = { trigger_type: trigger, subjects, status: 'PENDING' };
      return { id, organization_id: organizationId, workflow_id: workflowId, ...what, runs_at: at, created_at: at };
    });
    await this.rows.insert('workflow_runs', rows);
    const deliveries = [];
    for (const run of runs) deliveries.push(await this.sent(organizationId, run));
    await this.rows.insert('webhook_deliveries', deliveries);
    await this.rows.insert('webhook_attempts', runs.flatMap(attemptRows));
  }

  /** Freezes the payload of a run, and returns the row of its delivery. */
  private async sent(organizationId: string, run: PlacedRun) {
    const { id, deliveryId, workflowId, actionId, conditions, trigger, at, outcome } = run;
    const subjects = trigger === 'MANUAL' ? null : run.subjects;
    const actions = [{ id: actionId, resources: null, inParts: false }];
    const plan = { organizationId, trigger, conditions, subjects, changedSince: null, actions };
    const payload_bytes = await this.exports.freeze(id, plan);
    return {
      id: deliveryId,
      organization_id: organizationId,
      workflow_id: workflowId,
      run_id: id,
      action_id: actionId,
      url_sealed: this.exports.sealUrl(deliveryId, receiverUrl),
      payload_bytes,
      status: outcome.status,
      turn: outcome.attempts.length,
      series_failures: outcome.attempts.filter(({ error }) => error !== null).length,
      finished_at: attemptRows(run).at(-1)?.started_at,
      created_at: at,
    };
  }
}

/** Gives a run its ids, and the workflow of its trigger. */
function placed(run: PastRun, ids: DemoOrganization['ids'], { number, now }: { number: number; now: Date }) {
  const workflow = workflows.find(({ trigger }) => trigger === run.trigger);
  if (!workflow) throw new Error(`The demo has no workflow with the trigger ${run.trigger}`);
  const { name, conditions } = workflow;
  return {
    ...run,
    id: demoIdAt(`run ${number}`, run.at, now),
    deliveryId: demoIdAt(`delivery ${number}`, run.at, now),
    workflowId: named(ids.workflows, name),
    actionId: named(ids.actions, name),
    conditions,
  };
}

type PlacedRun = ReturnType<typeof placed>;

function attemptRows({ deliveryId, at, outcome }: PlacedRun) {
  return outcome.attempts.map(({ afterSeconds, durationMs, statusCode, error, response }, index) => ({
    delivery_id: deliveryId,
    number: index + 1,
    started_at: daysAfter(at, afterSeconds / secondsOfDay),
    duration_ms: durationMs,
    status_code: statusCode,
    error,
    response,
  }));
}

/** A run for each of the scans, when it had found the last of its serious new issues. */
function runsOfScans(scanIds: Ids, issues: readonly PlacedIssue[]): PastRun[] {
  return outcomesOfScans.map(({ scan, outcome }) => {
    const scanId = named(scanIds, scan);
    const found = issues.filter(({ issue, finds }) => serious.has(issue.severity) && finds[0]?.scanId === scanId);
    const at = new Date(Math.max(...found.map(({ first }) => first.getTime())));
    return { trigger: 'NEW_ISSUE', at, subjects: found.map(({ row }) => row.id), outcome };
  });
}

function runByHand(now: Date): PastRun {
  return { trigger: 'MANUAL', at: daysBefore(now, sentByHand.daysAgo), subjects: [], outcome: sentByHand.outcome };
}

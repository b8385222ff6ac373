import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { NotFound } from '../../platform/errors/errors.js';
import { serviceVersion } from '../../platform/http/service-life.js';
import { JobMetrics } from '../../platform/jobs/job-metrics.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { BackupEntity } from '../backups/backup.entity.js';
import { BackupsService } from '../backups/backups.service.js';
import type { NodeEntity } from '../nodes/node.entity.js';
import { NodesService } from '../nodes/nodes.service.js';
import { type FailingWebhook, WebhooksService } from '../webhooks/webhooks.service.js';
import { ChecksService, type RequestWay } from './checks.service.js';
import {
  type Backup,
  type FailingReceiver,
  type MovedJobs,
  mostShown,
  type Operation,
  type ServiceNode,
  type SlowStatement,
  type TaskQueue,
} from './operation.dto.js';

/** Shows an operator how the service is. */
@Injectable()
export class OperationService {
  constructor(
    private readonly checks: ChecksService,
    private readonly backups: BackupsService,
    private readonly metrics: JobMetrics,
    private readonly queue: JobQueue,
    private readonly nodes: NodesService,
    private readonly webhooks: WebhooksService,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async show(way: RequestWay): Promise<Operation> {
    const [checks, queues, backups, nodes, failing] = await Promise.all([
      this.checks.all(way),
      this.queues(),
      this.backups.newest(mostShown.backups),
      this.nodes.present(),
      this.webhooks.failing(),
    ]);
    return {
      version: serviceVersion,
      checks,
      queues,
      backups: backups.map(backupOf),
      nodes: nodes.map(nodeOf),
      failing_receivers: failing.slice(0, mostShown.receivers).map(receiverOf),
      slow_statements: nodes
        .flatMap(slowStatementsOf)
        .toSorted((one, other) => other.total_ms - one.total_ms)
        .slice(0, mostShown.statements),
    };
  }

  /** Tries the given-up jobs of a task anew. `NotFound` where there are none. */
  retry(task: string): Promise<MovedJobs> {
    return this.move(task, 'queue.retried', () => this.queue.retryGivenUp(task));
  }

  /** Removes the given-up jobs of a task: what they were to do is not done. `NotFound` where there are none. */
  drop(task: string): Promise<MovedJobs> {
    return this.move(task, 'queue.dropped', () => this.queue.dropGivenUp(task));
  }

  private move(task: string, action: 'queue.retried' | 'queue.dropped', by: () => Promise<number>): Promise<MovedJobs> {
    return this.unitOfWork.run(async () => {
      const jobs = await by();
      if (jobs === 0) throw new NotFound(`No job of the task ${task} was given up: look at the queue again`);
      await this.audit.record({
        action,
        subject: { id: task, name: task },
        changes: { jobs: { from: null, to: jobs } },
      });
      return { jobs };
    });
  }

  /** Every task that has jobs or could have some, the one that has waited longest first. */
  private async queues(): Promise<TaskQueue[]> {
    const [figures, givenUp] = await Promise.all([this.metrics.figures(), this.queue.givenUp()]);
    const tasks = new Set([...figures, ...givenUp].map(({ task }) => task));
    const found = new Map(figures.map((one) => [one.task, one]));
    const lost = new Map(givenUp.map((one) => [one.task, one]));
    return [...tasks]
      .map((task) => {
        const { waiting = 0, planned = 0, oldest = 0 } = found.get(task) ?? {};
        const { failed = 0, fault = null } = lost.get(task) ?? {};
        return { task, waiting, planned, failed, last_error: fault, oldest_seconds: Math.round(oldest * 10) / 10 };
      })
      .toSorted((one, other) => other.oldest_seconds - one.oldest_seconds || one.task.localeCompare(other.task))
      .slice(0, mostShown.queues);
  }
}

function nodeOf({ host, pid, version, startedAt, seenAt }: NodeEntity): ServiceNode {
  return { host, pid, version, started_at: startedAt, seen_at: seenAt };
}

function receiverOf({ id, url, failingSince, disabledReason }: FailingWebhook): FailingReceiver {
  // What follows may be a credential.
  const [shown = ''] = url.split('?');
  return { webhook_id: id, url: shown, failing_since: failingSince, disabled_reason: disabledReason };
}

function slowStatementsOf({ host, slowStatements }: NodeEntity): SlowStatement[] {
  return slowStatements.map(({ text, times, longestMs, totalMs, lastAt }) => ({
    text,
    host,
    times,
    longest_ms: longestMs,
    total_ms: totalMs,
    last_at: lastAt,
  }));
}

function backupOf({ begunAt, endedAt, outcome, name, bytes, reason }: BackupEntity): Backup {
  return {
    begun_at: begunAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    outcome,
    name,
    bytes: bytes === null ? null : Number(bytes),
    reason,
  };
}

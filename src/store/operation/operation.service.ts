import { Injectable } from '@nestjs/common';
import { serviceVersion } from '../../platform/http/service-life.js';
import { JobMetrics } from '../../platform/jobs/job-metrics.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import type { BackupEntity } from '../backups/backup.entity.js';
import { BackupsService } from '../backups/backups.service.js';
import { ChecksService, type RequestWay } from './checks.service.js';
import { type Backup, mostShown, type Operation, type TaskQueue } from './operation.dto.js';

/** Shows an operator how the service is. */
@Injectable()
export class OperationService {
  constructor(
    private readonly checks: ChecksService,
    private readonly backups: BackupsService,
    private readonly metrics: JobMetrics,
    private readonly queue: JobQueue,
  ) {}

  async show(way: RequestWay): Promise<Operation> {
    const [checks, queues, backups] = await Promise.all([
      this.checks.all(way),
      this.queues(),
      this.backups.newest(mostShown.backups),
    ]);
    return { version: serviceVersion, checks, queues, backups: backups.map(backupOf) };
  }

  /** Every task that has jobs or could have some, the one that has waited longest first. */
  private async queues(): Promise<TaskQueue[]> {
    const [figures, givenUp] = await Promise.all([this.metrics.figures(), this.queue.givenUp()]);
    const tasks = new Set([...figures.map(({ task }) => task), ...givenUp.keys()]);
    const found = new Map(figures.map((one) => [one.task, one]));
    return [...tasks]
      .map((task) => {
        const { waiting = 0, planned = 0, oldest = 0 } = found.get(task) ?? {};
        return { task, waiting, planned, failed: givenUp.get(task) ?? 0, oldest_seconds: Math.round(oldest * 10) / 10 };
      })
      .toSorted((one, other) => other.oldest_seconds - one.oldest_seconds || one.task.localeCompare(other.task))
      .slice(0, mostShown.queues);
  }
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

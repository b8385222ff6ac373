import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { lastBackupTimes } from '../../config/backup-settings.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import type { BackupEntity } from './backup.entity.js';
import { BackupNotices } from './backup-notices.js';
import { BackupProcess } from './backup-process.js';
import { BackupsRepository } from './backups.repository.js';

const task = 'backup';
const deadlineSeconds = 6 * 3_600;
/** How long after a failure the next try is. */
const pauseSeconds = 3_600;
const keptDays = 400;

/** `none`: the first one is still to come. `late`: two times of the schedule passed without one. */
export type BackupState = 'ok' | 'none' | 'late' | 'failed' | 'off';

/** Makes backups by itself, when BACKUP_SCHEDULE says so, each on one node. */
@Injectable()
export class BackupsService implements OnModuleInit {
  private readonly logger = new Logger('Backups');

  constructor(
    private readonly repository: BackupsRepository,
    private readonly command: BackupProcess,
    private readonly notices: BackupNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: JobQueue,
    private readonly jobs: JobRunner,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const { schedule } = this.settings.backup;
    // Where it is off, too: what was queued while it was on would wait for ever, and another node may have it on.
    if (schedule === null) this.jobs.register(task, () => Promise.resolve(), { deadlineSeconds: 10 });
    else this.jobs.register(task, (_payload, { signal }) => this.make(signal), { queue: 'upkeep', deadlineSeconds });
    this.jobs.registerRecurring({
      name: 'backup-schedule',
      everySeconds: 60,
      deadlineSeconds: 30,
      handler: () => (schedule === null ? Promise.resolve() : this.beginIfDue(schedule)),
    });
  }

  /** Queues a backup that is due, once; a new installation waits for its first time. */
  async beginIfDue(schedule: string, now = new Date()): Promise<void> {
    if (await this.repository.isEmpty()) return this.repository.await();
    const { last } = lastBackupTimes(schedule, now);
    if (!(await this.repository.isDue(last, pauseSeconds))) return;
    await this.queue.add(task, {}, { key: task, ifAbsent: true });
  }

  /** Makes a backup, records what became of it, and tells the admins when that is news. */
  async make(signal: AbortSignal): Promise<void> {
    const id = await this.repository.begin();
    try {
      const { name, bytes } = await this.command.run(signal);
      await this.unitOfWork.run(async () => {
        const kept = { outcome: 'kept', name, bytes: String(bytes), reason: null } as const;
        const before = await this.repository.end(id, kept);
        if (before?.outcome === 'failed') await this.notices.worksAgain();
      });
      await this.repository.removeBefore(new Date(Date.now() - keptDays * 86_400_000));
    } catch (error) {
      // The queue gives the job to another node, or to this one when it is back.
      signal.throwIfAborted();
      await this.failed(id, (error as Error).message);
    }
  }

  /** Whether there are backups. */
  async state(now = new Date()): Promise<BackupState> {
    const { schedule } = this.settings.backup;
    if (schedule === null) return 'off';
    const { newest, fault } = await this.repository.figures();
    if (fault !== null) return 'failed';
    if (newest === null) return 'none';
    return newest < lastBackupTimes(schedule, now).before ? 'late' : 'ok';
  }

  /** The newest ones, whatever became of them. */
  newest(most: number): Promise<BackupEntity[]> {
    return this.repository.newest(most);
  }

  private async failed(id: string, reason: string): Promise<void> {
    this.logger.error(`No backup could be made: ${reason}`);
    await this.unitOfWork.run(async () => {
      const before = await this.repository.end(id, { outcome: 'failed', name: null, bytes: null, reason });
      if (before?.outcome !== 'failed') await this.notices.failed(reason);
    });
  }
}

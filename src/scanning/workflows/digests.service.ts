import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { type Digest, digestTimes } from '../notifications/notification-kinds.js';
import { DigestsRepository, type Gathering } from './digests.repository.js';
import { nextScheduledTime } from './trigger-rules.js';
import { digestTask } from './workflow-tasks.js';

/** Gathers what actions tell in digests, and makes the run of each digest when it is due, once. */
@Injectable()
export class DigestsService implements OnModuleInit {
  constructor(
    private readonly repository: DigestsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.register(digestTask, (payload) => this.flush((payload as { actionId: string }).actionId), {
      deadlineSeconds: 60,
    });
    this.jobs.registerRecurring({
      name: 'workflow-digests',
      everySeconds: 60,
      deadlineSeconds: 50,
      handler: () => this.repository.queueMissing(),
    });
  }

  /** Keeps the subjects of a run for the next digest of an action, in the unit of the run. */
  gather(gathering: Omit<Gathering, 'dueAt'>, digest: Digest, timeZone: string): Promise<void> {
    const dueAt = nextScheduledTime(digestTimes[digest], timeZone, new Date());
    return this.repository.gather({ ...gathering, dueAt });
  }

  /** Makes a run of what an action has gathered. */
  flush(actionId: string): Promise<void> {
    return this.unitOfWork.run(() => this.repository.flush(actionId, uuidV7()));
  }
}

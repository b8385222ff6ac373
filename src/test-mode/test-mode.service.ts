import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { NotFound } from '../platform/errors/errors.js';
import { JobRunner } from '../platform/jobs/job-runner.js';
import { codeAt } from '../store/totp/totp-codes.js';
import { placeOf } from '../store/totp/totp.service.js';
import { Faults } from './faults.js';
import { ReceivedWebhooks } from './received-webhooks.js';
import { TestDataRepository } from './test-data.repository.js';
import { TestDataService } from './test-data.service.js';
import type { OpenJobs } from './test-schema.statements.js';
import { TestTotpRepository } from './test-totp.repository.js';

const stepMs = 30_000;
const lookMs = 50;

/** What a suite asks of the service beside its data and its clock. */
@Injectable()
export class TestModeService implements OnModuleInit {
  constructor(
    private readonly data: TestDataService,
    private readonly repository: TestDataRepository,
    private readonly totp: TestTotpRepository,
    private readonly faults: Faults,
    private readonly webhooks: ReceivedWebhooks,
    private readonly box: SecretBox,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.data.onReset(() => {
      this.faults.clear();
      this.faults.mails.empty();
      this.webhooks.empty();
    });
  }

  /** The current code of an account's authenticator app; `NotFound` where it has none. */
  async codeOf(username: string): Promise<{ code: string }> {
    const found = await this.totp.secretOf(username);
    if (!found) throw new NotFound('No account of this name has set two-factor login up');
    return { code: codeAt(this.box.open(found.sealed, placeOf(found.id)), Math.floor(Date.now() / stepMs)) };
  }

  /** Waits until no job is due or in hand, for so many seconds at most; `jobs` are those that are still open. */
  async settle(seconds: number): Promise<{ settled: boolean; waiting: number; jobs: OpenJobs[] }> {
    const end = performance.now() + seconds * 1_000;
    for (;;) {
      const jobs = await this.repository.openJobs();
      const open = jobs.reduce((sum, { waiting, in_hand }) => sum + waiting + in_hand, 0);
      if (open === 0 || performance.now() > end) return { settled: open === 0, waiting: open, jobs };
      if (jobs.some(({ waiting }) => waiting > 0)) await this.jobs.wake();
      await sleep(lookMs);
    }
  }
}

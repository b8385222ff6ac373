import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { UnusedUploadsRepository } from './unused-uploads.repository.js';
import { UploadsService } from './uploads.service.js';

/** Removes pictures that nothing has shown for long. */
@Injectable()
export class UnusedUploads implements OnModuleInit {
  constructor(
    private readonly repository: UnusedUploadsRepository,
    private readonly uploads: UploadsService,
    private readonly jobs: JobRunner,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'unused-uploads',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.removeUnused(signal),
    });
  }

  /** Looks at all pictures, some at a time, then removes those that have been unused for long enough. */
  async removeUnused(signal?: AbortSignal): Promise<void> {
    for (let last: string | null = ''; last !== null;) {
      signal?.throwIfAborted();
      last = await this.repository.mark(last);
    }
    for (;;) {
      signal?.throwIfAborted();
      const removed = await this.repository.remove(this.settings.unusedUploadDays);
      if (!removed) return;
      await this.uploads.removeFiles(removed);
    }
  }
}

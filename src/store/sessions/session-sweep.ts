import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { type DeviceKey, SessionsRepository } from './sessions.repository.js';

/** Before all devices. */
const start: DeviceKey = { userId: '00000000-0000-0000-0000-000000000000', digest: '' };

/** How long a device is known after the last login on it. */
const knownDeviceDays = 365;

/** Removes sessions that are over, and devices that nobody has used for long. */
@Injectable()
export class SessionSweep implements OnModuleInit {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'session-sweep',
      everySeconds: 600,
      deadlineSeconds: 300,
      handler: () => this.repository.sweep(),
    });
    this.jobs.registerRecurring({
      name: 'device-retention',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.forgetDevices(signal),
    });
  }

  /** Walks all devices, some at a time. */
  async forgetDevices(signal?: AbortSignal): Promise<void> {
    for (let last: DeviceKey | null = start; last;) {
      signal?.throwIfAborted();
      last = await this.repository.forgetDevices(last, knownDeviceDays);
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Unavailable } from '../../platform/errors/errors.js';
import { ServiceLife, serviceVersion } from '../../platform/http/service-life.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { JobMetrics } from '../../platform/jobs/job-metrics.js';
import { lateSeconds } from '../../platform/jobs/late-jobs.js';
import { HealthRepository } from './health.repository.js';
import { BackupsService } from '../backups/backups.service.js';
import type { Health, Readiness } from './health.dto.js';

/** Liveness and readiness. */
@Injectable()
export class HealthService {
  constructor(
    private readonly repository: HealthRepository,
    private readonly life: ServiceLife,
    private readonly uploads: UploadsService,
    private readonly jobs: JobMetrics,
    private readonly backups: BackupsService,
  ) {}

  /** Liveness, with the state of the database: the process returns it as long as it lives. */
  async check(): Promise<Health> {
    const up = await this.repository.responds();
    return {
      status: up ? 'ok' : 'degraded',
      database: up ? 'up' : 'down',
      jobs: up ? await this.jobsState() : 'unknown',
      version: serviceVersion,
      uptime_seconds: Math.round(process.uptime()),
    };
  }

  private async jobsState(): Promise<Health['jobs']> {
    const figures = await this.jobs.figures().catch(() => null);
    if (!figures) return 'unknown';
    return figures.some(({ oldest }) => oldest >= lateSeconds) ? 'late' : 'on_time';
  }

  /**
   * Readiness: `Unavailable` while the database is away or the service is stopping. Without its storage the service can do
   * everything else.
   */
  async ready(isVerbose: boolean): Promise<Readiness> {
    // A check that waits for a busy database says at once that the service stops: until then traffic comes.
    const responds = !this.life.stopping && (await this.repository.responds(this.life.signal));
    if (this.life.stopping) throw new Unavailable('The service is stopping', 'stopping');
    if (!responds) throw new Unavailable('The database cannot be reached', 'database_unavailable');
    const readiness = { status: 'ready', storage: (await this.uploads.storageResponds()) ? 'up' : 'down' } as const;
    if (!isVerbose) return readiness;
    return { ...readiness, jobs: await this.jobsState(), backup: await this.backups.state() };
  }
}

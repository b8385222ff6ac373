import { describe, expect, it } from '@jest/globals';
import { ServiceLife } from '../../../../src/platform/http/service-life.js';
import type { Database } from '../../../../src/database/database.js';
import type { JobMetrics } from '../../../../src/platform/jobs/job-metrics.js';
import type { BackupsService } from '../../../../src/store/backups/backups.service.js';
import { HealthRepository } from '../../../../src/store/health/health.repository.js';
import { HealthService } from '../../../../src/store/health/health.service.js';
import type { UploadsService } from '../../../../src/store/uploads/uploads.service.js';

describe('Readiness', () => {
  it('is denied at once when the service begins to stop while the database does not respond', async () => {
    const database = { row: () => new Promise<never>(() => undefined) };
    const life = new ServiceLife();
    const repository = new HealthRepository(database as unknown as Database);
    const service = new HealthService(repository, life, {} as UploadsService, {} as JobMetrics, {} as BackupsService);
    const answer = service.ready(false);
    life.stop();
    await expect(answer).rejects.toMatchObject({ code: 'stopping' });
  });
});

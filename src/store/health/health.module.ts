import { Module } from '@nestjs/common';
import { BackupsModule } from '../backups/backups.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { HealthController } from './health.controller.js';
import { HealthRepository } from './health.repository.js';
import { OperationMetrics } from './operation-metrics.js';
import { PoolMetricsRepository } from './pool-metrics.repository.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [BackupsModule, UploadsModule],
  controllers: [HealthController],
  providers: [HealthService, HealthRepository, OperationMetrics, PoolMetricsRepository],
})
export class HealthModule {}

import { Injectable } from '@nestjs/common';
import { DatabaseOutage } from '../../platform/http/database-outage.js';
import { Metrics } from '../../platform/http/metrics.js';
import { lastBackup } from '../../config/last-backup.js';
import { Settings } from '../../config/settings.js';
import { BackupsService } from '../backups/backups.service.js';
import { HealthRepository } from './health.repository.js';

/** What an operator watches beside requests: whether the database is there, and when the last backup was made. */
@Injectable()
export class OperationMetrics {
  constructor(
    metrics: Metrics,
    settings: Settings,
    repository: HealthRepository,
    outage: DatabaseOutage,
    backups: BackupsService,
  ) {
    const responds = (): Promise<boolean> => repository.responds();
    outage.lookBy(responds);
    metrics.watch('database_up', 'Whether the database responds: 1 or 0', async () => Number(await responds()), 'min');
    metrics.watch(
      'backup_last_success_timestamp_seconds',
      'When the last complete backup of the data folder began; absent without one',
      () => lastBackup(settings.dataDir),
      'max',
    );
    metrics.watch(
      'backup_missing',
      'Whether the last backup by BACKUP_SCHEDULE failed or is late: 1 or 0',
      async () => Number(['failed', 'late'].includes(await backups.state())),
      'max',
    );
  }
}

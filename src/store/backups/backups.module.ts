import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { BackupEntity } from './backup.entity.js';
import { BackupNotices } from './backup-notices.js';
import { BackupProcess } from './backup-process.js';
import { BackupsRepository } from './backups.repository.js';
import { BackupsService } from './backups.service.js';

/** Backups that the service makes by itself. */
@Module({
  imports: [repositoriesOf([BackupEntity]), AccountMailModule],
  providers: [BackupsService, BackupsRepository, BackupProcess, BackupNotices],
  exports: [BackupsService],
})
export class BackupsModule {}

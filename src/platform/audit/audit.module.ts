import { Global, Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLog } from './audit-log.js';
import { AuditPartitionsService } from './audit-partitions.service.js';
import { AuditTrailService } from './audit-trail.service.js';
import { SecurityLog } from './security-log.js';

@Global()
@Module({
  imports: [repositoriesOf([AuditEntryEntity])],
  providers: [AuditLog, AuditTrailService, AuditEntriesRepository, AuditPartitionsService, SecurityLog],
  exports: [AuditLog, AuditTrailService],
})
export class AuditModule {}

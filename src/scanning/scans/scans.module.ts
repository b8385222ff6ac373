import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { BranchesModule } from '../branches/branches.module.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { ScanAssetEntity } from './scan-asset.entity.js';
import { ScanEntity } from './scan.entity.js';
import { ScanRetention } from './scan-retention.js';
import { ScanRetentionRepository } from './scan-retention.repository.js';
import { ScansController } from './scans.controller.js';
import { ScansRepository } from './scans.repository.js';
import { ScansService } from './scans.service.js';

@Module({
  imports: [repositoriesOf([ScanEntity, ScanAssetEntity]), BranchesModule, TriggersModule],
  controllers: [ScansController],
  providers: [ScansService, ScansRepository, ScanRetention, ScanRetentionRepository],
  exports: [ScansService],
})
export class ScansModule {}

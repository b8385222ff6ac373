import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ScansModule } from '../scans/scans.module.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { IssueActivitiesRepository } from './issue-activities.repository.js';
import { IssueActivityEntity } from './issue-activity.entity.js';
import { IssueAppendsController } from './issue-appends.controller.js';
import { IssueAppendsRepository } from './issue-appends.repository.js';
import { IssueAppendsService } from './issue-appends.service.js';
import { IssueDetailEntity } from './issue-detail.entity.js';
import { IssueRuleEntity } from './issue-rule.entity.js';
import { IssueResolutionsRepository } from './issue-resolutions.repository.js';
import { IssueRetention } from './issue-retention.js';
import { IssueRetentionRepository } from './issue-retention.repository.js';
import { IssueResolutionsService } from './issue-resolutions.service.js';
import { IssueScanEntity } from './issue-scan.entity.js';
import { IssueSummaryRepository } from './issue-summary.repository.js';
import { IssueSummaryService } from './issue-summary.service.js';
import { IssueTargetEntity } from './issue-target.entity.js';
import { IssueDetailsRepository } from './issue-details.repository.js';
import { IssueTargetsRepository } from './issue-targets.repository.js';
import { IssueTriageRepository } from './issue-triage.repository.js';
import { IssueTriageService } from './issue-triage.service.js';
import { IssueEntity } from './issue.entity.js';
import { IssuesController } from './issues.controller.js';
import { IssuesRepository } from './issues.repository.js';
import { IssuesService } from './issues.service.js';
import { ScanFindingsService } from './scan-findings.service.js';

@Module({
  imports: [
    repositoriesOf([
      IssueEntity,
      IssueActivityEntity,
      IssueDetailEntity,
      IssueRuleEntity,
      IssueScanEntity,
      IssueTargetEntity,
    ]),
    ScansModule,
    TriggersModule,
  ],
  controllers: [IssuesController, IssueAppendsController],
  providers: [
    IssuesService,
    IssuesRepository,
    IssueAppendsService,
    IssueAppendsRepository,
    IssueActivitiesRepository,
    IssueTargetsRepository,
    IssueDetailsRepository,
    IssueResolutionsService,
    IssueResolutionsRepository,
    IssueRetention,
    IssueRetentionRepository,
    IssueSummaryService,
    IssueSummaryRepository,
    IssueTriageService,
    IssueTriageRepository,
    ScanFindingsService,
  ],
  exports: [IssuesService, IssueAppendsService, IssueResolutionsService],
})
export class IssuesModule {}

import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ScanEventsModule } from '../scan-events/scan-events.module.js';
import { ScansModule } from '../scans/scans.module.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { BranchesModule } from '../branches/branches.module.js';
import { BranchClosingsController } from './branch-closings.controller.js';
import { BranchClosingsService } from './branch-closings.service.js';
import { IssueActivitiesRepository } from './issue-activities.repository.js';
import { IssueActivityEntity } from './issue-activity.entity.js';
import { IssueAcceptancesRepository } from './issue-acceptances.repository.js';
import { IssueAppendsController } from './issue-appends.controller.js';
import { IssueAppendsRepository } from './issue-appends.repository.js';
import { IssueAppendsService } from './issue-appends.service.js';
import { IssueBranchEntity } from './issue-branch.entity.js';
import { IssueBranchesRepository } from './issue-branches.repository.js';
import { IssueBranchesService } from './issue-branches.service.js';
import { IssueIdentifierEntity } from './issue-identifier.entity.js';
import { IssueBulkRepository } from './issue-bulk.repository.js';
import { IssueBulkService } from './issue-bulk.service.js';
import { IssueChangesService } from './issue-changes.service.js';
import { IssueDefaultAssigneeEntity } from './issue-default-assignee.entity.js';
import { IssueDetailEntity } from './issue-detail.entity.js';
import { IssueFiguresController } from './issue-figures.controller.js';
import { IssueFiguresRepository } from './issue-figures.repository.js';
import { IssueFiguresService } from './issue-figures.service.js';
import { IssuePoliciesRepository } from './issue-policies.repository.js';
import { IssuePoliciesService } from './issue-policies.service.js';
import { IssuePolicyController } from './issue-policy.controller.js';
import { IssuePolicyEntity } from './issue-policy.entity.js';
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
import { IssueThreatsRepository } from './issue-threats.repository.js';
import { IssueThreatsService } from './issue-threats.service.js';
import { IssueTargetsRepository } from './issue-targets.repository.js';
import { IssueTriageRepository } from './issue-triage.repository.js';
import { IssueTriageService } from './issue-triage.service.js';
import { IssueUpkeepService } from './issue-upkeep.service.js';
import { IssueEntity } from './issue.entity.js';
import { IssueExportRowsRepository } from './issue-export-rows.repository.js';
import { IssueExportRowsService } from './issue-export-rows.service.js';
import { IssuesController } from './issues.controller.js';
import { IssuesRepository } from './issues.repository.js';
import { IssuesService } from './issues.service.js';
import { ScanFindingsService } from './scan-findings.service.js';
import { ScannedBranchesService } from './scanned-branches.service.js';

@Module({
  imports: [
    repositoriesOf([
      IssueEntity,
      IssueActivityEntity,
      IssueBranchEntity,
      IssueDefaultAssigneeEntity,
      IssueDetailEntity,
      IssueIdentifierEntity,
      IssuePolicyEntity,
      IssueRuleEntity,
      IssueScanEntity,
      IssueTargetEntity,
    ]),
    BranchesModule,
    ScanEventsModule,
    ScansModule,
    TriggersModule,
  ],
  // A path such as issues/policy is looked for before issues/{id}.
  controllers: [
    IssuePolicyController,
    IssueFiguresController,
    IssuesController,
    BranchClosingsController,
    IssueAppendsController,
  ],
  providers: [
    IssuesService,
    IssuesRepository,
    IssueExportRowsRepository,
    IssueExportRowsService,
    IssueAppendsService,
    IssueAppendsRepository,
    IssueAcceptancesRepository,
    IssueActivitiesRepository,
    IssueBulkRepository,
    IssueBulkService,
    IssueChangesService,
    IssueFiguresRepository,
    IssueFiguresService,
    IssuePoliciesRepository,
    IssuePoliciesService,
    IssueUpkeepService,
    IssueTargetsRepository,
    IssueDetailsRepository,
    BranchClosingsService,
    IssueBranchesService,
    IssueBranchesRepository,
    IssueResolutionsService,
    IssueResolutionsRepository,
    IssueRetention,
    IssueRetentionRepository,
    IssueSummaryService,
    IssueSummaryRepository,
    IssueThreatsService,
    IssueThreatsRepository,
    IssueTriageService,
    IssueTriageRepository,
    ScanFindingsService,
    ScannedBranchesService,
  ],
  exports: [
    IssuesService,
    IssueExportRowsService,
    IssueBranchesService,
    IssueAppendsService,
    IssueResolutionsService,
    IssueThreatsService,
    ScannedBranchesService,
  ],
})
export class IssuesModule {}

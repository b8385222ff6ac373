import { Module } from '@nestjs/common';
import { ScansModule } from '../scans/scans.module.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { IssueActivitiesRepository } from './issue-activities.repository.js';
import { IssueAppendsController } from './issue-appends.controller.js';
import { IssueAppendsRepository } from './issue-appends.repository.js';
import { IssueAppends } from './issue-appends.service.js';
import { IssueSummaryRepository } from './issue-summary.repository.js';
import { IssueSummaryService } from './issue-summary.service.js';
import { IssueTargetsRepository } from './issue-targets.repository.js';
import { IssueTriageRepository } from './issue-triage.repository.js';
import { IssueTriage } from './issue-triage.service.js';
import { IssuesController } from './issues.controller.js';
import { IssuesRepository } from './issues.repository.js';
import { IssuesService } from './issues.service.js';
import { ScanFindings } from './scan-findings.service.js';

@Module({
  imports: [ScansModule, TriggersModule],
  controllers: [IssuesController, IssueAppendsController],
  providers: [
    IssuesService,
    IssuesRepository,
    IssueAppends,
    IssueAppendsRepository,
    IssueActivitiesRepository,
    IssueTargetsRepository,
    IssueSummaryService,
    IssueSummaryRepository,
    IssueTriage,
    IssueTriageRepository,
    ScanFindings,
  ],
  exports: [IssuesService, IssueAppends],
})
export class IssuesModule {}

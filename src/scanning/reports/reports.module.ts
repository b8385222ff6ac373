import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { AssetsModule } from '../assets/assets.module.js';
import { BranchesModule } from '../branches/branches.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { ScanEventsModule } from '../scan-events/scan-events.module.js';
import { ScansModule } from '../scans/scans.module.js';
import { ImportKeyEntity } from './import-key.entity.js';
import { ImportKeysRepository } from './import-keys.repository.js';
import { ImportOutcomesRepository } from './import-outcomes.repository.js';
import { ImportOutcomesService } from './import-outcomes.service.js';
import { ImportPageEntity } from './import-page.entity.js';
import { ImportPagesController } from './import-pages.controller.js';
import { ImportPagesRepository } from './import-pages.repository.js';
import { ImportPagesService } from './import-pages.service.js';
import { ImportTransactionsService } from './import-transactions.service.js';
import { NamedAssetsService } from './named-assets.service.js';
import { ReceivedReportsService } from './received-reports.service.js';
import { ReportImportsService } from './report-imports.service.js';
import { ReportBranchesService } from './report-branches.service.js';
import { ReportProfilesService } from './report-profiles.service.js';
import { FindingsWriterService } from './findings-writer.service.js';
import { ReportWriterService } from './report-writer.service.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';
import { ScanIssuesController } from './scan-issues.controller.js';
import { ScanIssuesRepository } from './scan-issues.repository.js';
import { ScanIssuesService } from './scan-issues.service.js';
import { ScanReportEntity } from './scan-report.entity.js';

@Module({
  imports: [
    repositoriesOf([ScanReportEntity, ImportKeyEntity, ImportPageEntity]),
    ProfilesModule,
    AssetsModule,
    ScansModule,
    BranchesModule,
    IssuesModule,
    ScanEventsModule,
  ],
  controllers: [ReportsController, ImportPagesController, ScanIssuesController],
  providers: [
    ReportImportsService,
    ReceivedReportsService,
    NamedAssetsService,
    ReportBranchesService,
    ReportProfilesService,
    ReportWriterService,
    FindingsWriterService,
    ReportsRepository,
    ImportTransactionsService,
    ImportKeysRepository,
    ImportOutcomesService,
    ImportOutcomesRepository,
    ImportPagesService,
    ImportPagesRepository,
    ScanIssuesService,
    ScanIssuesRepository,
  ],
})
export class ReportsModule {}

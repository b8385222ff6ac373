import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { ScanEventsModule } from '../scan-events/scan-events.module.js';
import { ScansModule } from '../scans/scans.module.js';
import { NamedAssetsService } from './named-assets.service.js';
import { ReportImportsService } from './report-imports.service.js';
import { ReportProfilesService } from './report-profiles.service.js';
import { ReportWriterService } from './report-writer.service.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';

@Module({
  imports: [ProfilesModule, AssetsModule, ScansModule, IssuesModule, ScanEventsModule],
  controllers: [ReportsController],
  providers: [ReportImportsService, NamedAssetsService, ReportProfilesService, ReportWriterService, ReportsRepository],
})
export class ReportsModule {}

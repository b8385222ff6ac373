import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { ScanEventsModule } from '../scan-events/scan-events.module.js';
import { ScansModule } from '../scans/scans.module.js';
import { NamedAssets } from './named-assets.service.js';
import { ReportImports } from './report-imports.service.js';
import { ReportProfiles } from './report-profiles.service.js';
import { ReportWriter } from './report-writer.service.js';
import { ReportsController } from './reports.controller.js';
import { ReportsRepository } from './reports.repository.js';

@Module({
  imports: [ProfilesModule, AssetsModule, ScansModule, IssuesModule, ScanEventsModule],
  controllers: [ReportsController],
  providers: [ReportImports, NamedAssets, ReportProfiles, ReportWriter, ReportsRepository],
})
export class ReportsModule {}

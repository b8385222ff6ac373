import { Module } from '@nestjs/common';
import { IssuesModule } from '../issues/issues.module.js';
import { IssueExportsController } from './issue-exports.controller.js';
import { IssueExportsService } from './issue-exports.service.js';

/** Issues as files. */
@Module({
  imports: [IssuesModule],
  controllers: [IssueExportsController],
  providers: [IssueExportsService],
})
export class IssueExportsModule {}

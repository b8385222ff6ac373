import { Readable } from 'node:stream';
import { Controller, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { WorkflowPath } from '../workflows/workflows.shapes.js';
import { PreviewService } from './preview.service.js';
import { PreviewQuery, WorkflowPreview } from './preview.shapes.js';

@ApiTags('workflows')
@Controller('api/v1/workflows')
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  @Post(':id/preview')
  @OrganizationAccess('member')
  @Answers(
    200,
    WorkflowPreview,
    'See what a run of the workflow would send now, in both shapes, without sending it',
    'Gathered as a run by hand gathers it, within the same limits: how many of each root, how many bytes, the ' +
      'newest 20 of each root (with `full=true` all), and where the default shape carries credentials. For all ' +
      'but admins these are masked.',
  )
  @Refuses({ too_many_requests: ['previews_busy'] })
  async preview(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Query() { full }: PreviewQuery,
  ): Promise<WorkflowPreview | StreamableFile> {
    const preview = await this.previews.preview(caller, id, full);
    return preview instanceof Readable ? new StreamableFile(preview, { type: 'application/json' }) : preview;
  }
}

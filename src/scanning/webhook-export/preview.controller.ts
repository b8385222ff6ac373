import { Readable } from 'node:stream';
import { Body, Controller, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { WorkflowPath } from '../workflows/workflows.dto.js';
import { PreviewService } from './preview.service.js';
import { PreviewQuery, WorkflowPreview } from './preview.dto.js';
import { WorkflowDraft } from './workflow-draft.dto.js';

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
      'newest 20 of each root (with `full=true` all), and where the default variant carries credentials. For all ' +
      'but admins these are masked.',
  )
  @Refuses({ too_many_requests: ['previews_busy'] })
  async preview(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Query() { full }: PreviewQuery,
  ): Promise<WorkflowPreview | StreamableFile> {
    return bodyOf(await this.previews.preview(caller, id, full));
  }

  @Post('preview')
  @OrganizationAccess('member')
  @Answers(
    200,
    WorkflowPreview,
    'See what a run of a workflow that is not saved yet would send now',
    'As the preview of a saved workflow. What the draft has must be such as could be saved; a draft without actions ' +
      'is shown with all roots. Nothing of the draft is kept.',
  )
  @Refuses({ too_many_requests: ['previews_busy'] })
  @Examples({ body: { trigger: { type: 'NEW_ISSUE' }, conditions: { severities: ['CRITICAL', 'HIGH'] } } })
  async previewDraft(
    @Member() caller: OrganizationCaller,
    @Body() draft: WorkflowDraft,
    @Query() { full }: PreviewQuery,
  ): Promise<WorkflowPreview | StreamableFile> {
    return bodyOf(await this.previews.previewDraft(caller, draft, full));
  }
}

function bodyOf(preview: WorkflowPreview | Readable): WorkflowPreview | StreamableFile {
  return preview instanceof Readable ? new StreamableFile(preview, { type: 'application/json' }) : preview;
}

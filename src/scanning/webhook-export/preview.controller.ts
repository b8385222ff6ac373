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
    'Preview what a run of the workflow would send now, in both variants',
    'Collects the data as a manual run does, within the same limits, and sends nothing. Shows the number of ' +
      'elements of each root, the size, the newest 20 of each root (all with `full=true`), and where the default ' +
      'variant contains credentials. These are masked for all but admins.',
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
    'Preview what an unsaved workflow would send now',
    'Like the preview of a saved workflow. The fields of the draft must be valid; a draft without actions is shown ' +
      'with all roots. The draft is not stored.',
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

import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers } from '../../common/http/answers.js';
import { WorkflowPath } from '../workflows/workflows.shapes.js';
import { PreviewService } from './preview.service.js';
import { WorkflowPreview } from './preview.shapes.js';

@ApiTags('workflows')
@Controller('api/v1/workflows')
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  @Post(':id/preview')
  @OrganizationAccess('member')
  @Answers(200, WorkflowPreview, 'See what a workflow would send: at most 100 of each root, in both shapes')
  preview(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<WorkflowPreview> {
    return this.previews.preview(caller, id);
  }
}

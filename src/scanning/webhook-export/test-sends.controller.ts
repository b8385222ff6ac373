import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { WorkflowPath } from '../workflows/workflows.dto.js';
import { TestSendsService } from './test-sends.service.js';
import { TestSend } from './test-sends.dto.js';

@ApiTags('workflows')
@Controller('api/v1/workflows')
export class TestSendsController {
  constructor(private readonly tests: TestSendsService) {}

  @Post(':id/test')
  @OrganizationAccess('admin')
  @Answers(
    200,
    TestSend,
    'Send a sample to the receivers of a workflow',
    'An invented payload that fits the published schema, with one element in each root that the trigger fills and ' +
      'the action sends, and with `"test": true` at its root. It has the signature and headers of the action, is ' +
      'sent once, immediately, and is not stored.',
  )
  @Refuses({ conflict: ['workflow_disabled', 'action_disabled'], too_many_requests: ['tests_busy'] })
  test(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<TestSend> {
    return this.tests.send(caller, id);
  }
}

import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { IntegrationsService } from './integrations.service.js';
import {
  Integration,
  IntegrationCreate,
  IntegrationFilter,
  IntegrationPage,
  IntegrationPath,
  IntegrationUpdate,
} from './integrations.dto.js';

@ApiTags('integrations')
@Controller('api/v1')
export class IntegrationsController {
  constructor(private readonly integrations: IntegrationsService) {}

  @Get('integrations')
  @OrganizationAccess('viewer')
  @Answers(200, IntegrationPage, 'List integrations, newest first', 'Secrets among their parameters are masked.')
  list(@Query() filter: IntegrationFilter, @Member() { organizationId }: OrganizationCaller): Promise<IntegrationPage> {
    return this.integrations.list(organizationId, filter);
  }

  @Post('integrations')
  @OrganizationAccess('admin')
  @Versioned()
  @Answers(
    201,
    Integration,
    'Create an integration',
    "Parameters are stored encrypted. Note that a webhook's default payload contains them in plain text; the " +
      'scoped payload does not.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(
    @Body() integration: IntegrationCreate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Integration> {
    return this.integrations.create(organizationId, integration);
  }

  @Get('integrations/:id')
  @OrganizationAccess('viewer')
  @Versioned()
  @Answers(200, Integration, 'Get an integration', 'Secrets among its parameters are masked.')
  get(@Param() { id }: IntegrationPath, @Member() { organizationId }: OrganizationCaller): Promise<Integration> {
    return this.integrations.get(organizationId, id);
  }

  @Patch('integrations/:id')
  @OrganizationAccess('admin')
  @Answers(
    200,
    Integration,
    'Update an integration',
    'Omitted fields stay as they are. A mask that is sent back keeps the secret behind it. Setting `valid` to ' +
      'false starts workflows with the trigger INTEGRATION_FAILED.',
  )
  @TakesIfMatch()
  @Refuses({ precondition_failed: ['changed_meanwhile'] })
  update(
    @Param() { id }: IntegrationPath,
    @Body() changes: IntegrationUpdate,
    @Member() { organizationId }: OrganizationCaller,
    @IfMatch() ifMatch: string | null,
  ): Promise<Integration> {
    return this.integrations.update(organizationId, id, changes, ifMatch);
  }

  @Delete('integrations/:id')
  @OrganizationAccess('admin')
  @Answers(204, undefined, 'Delete an integration', 'Its parameters are deleted with it.')
  remove(@Param() { id }: IntegrationPath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.integrations.remove(organizationId, id);
  }
}

import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers } from '../../common/http/answers.js';
import { CursorPaging } from '../../common/http/cursor.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyCreate, ApiKeyCreated, ApiKeyPage, ApiKeyPath } from './api-keys.shapes.js';
import { OrganizationPath } from './organizations.shapes.js';

@ApiTags('organizations')
@Controller('api/v1')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get('organizations/:organizationId/api-keys')
  @OrganizationAccess('admin')
  @Answers(200, ApiKeyPage, "List an organization's API keys")
  list(
    @Param() _path: OrganizationPath,
    @Query() paging: CursorPaging,
    @Member() caller: OrganizationCaller,
  ): Promise<ApiKeyPage> {
    return this.apiKeys.list(caller, paging);
  }

  @Post('organizations/:organizationId/api-keys')
  @OrganizationAccess('admin')
  @Answers(201, ApiKeyCreated, 'Make an API key, which is shown this once')
  create(
    @Param() _path: OrganizationPath,
    @Body() key: ApiKeyCreate,
    @Member() caller: OrganizationCaller,
  ): Promise<ApiKeyCreated> {
    return this.apiKeys.create(caller, key);
  }

  @Delete('organizations/:organizationId/api-keys/:keyId')
  @OrganizationAccess('admin')
  @Answers(204, undefined, 'Revoke an API key')
  revoke(@Param() { keyId }: ApiKeyPath, @Member() caller: OrganizationCaller): Promise<void> {
    return this.apiKeys.revoke(caller, keyId);
  }
}

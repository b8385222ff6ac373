import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyCreate, ApiKeyCreated, ApiKeyPage, ApiKeyPath, ApiKeysOfMaker, ApiKeysRevoked } from './api-keys.dto.js';
import { OrganizationPath } from './organizations.dto.js';

@ApiTags('organizations')
@Controller('api/v1')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get('organizations/:organizationId/api-keys')
  @OrganizationAccess('admin')
  @Answers(
    200,
    ApiKeyPage,
    "List an organization's API keys",
    'Without the keys themselves, with how each begins and when it was last used; revoked and expired ones too.',
  )
  list(
    @Param() _path: OrganizationPath,
    @Query() paging: CursorPaging,
    @Member() caller: OrganizationCaller,
  ): Promise<ApiKeyPage> {
    return this.apiKeys.list(caller, paging);
  }

  @Post('organizations/:organizationId/api-keys')
  @OrganizationAccess('admin')
  @RecentLogin()
  @Answers(
    201,
    ApiKeyCreated,
    'Make an API key',
    'The answer holds the key, which is shown this once: send it as `X-API-Key`. Its role is at most your own.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(
    @Param() _path: OrganizationPath,
    @Body() key: ApiKeyCreate,
    @Member() caller: OrganizationCaller,
  ): Promise<ApiKeyCreated> {
    return this.apiKeys.create(caller, key);
  }

  @Delete('organizations/:organizationId/api-keys')
  @OrganizationAccess('admin')
  @RecentLogin()
  @Answers(
    200,
    ApiKeysRevoked,
    'Revoke all API keys that somebody made',
    'Of a member, of somebody who left, or of an account that is gone: the keys that they made, and those that were made ' +
      'with such keys. To take a member out of the organization together with the keys, see the members.',
  )
  revokeMadeBy(
    @Param() _path: OrganizationPath,
    @Query() { createdBy }: ApiKeysOfMaker,
    @Member() caller: OrganizationCaller,
  ): Promise<ApiKeysRevoked> {
    return this.apiKeys.revokeMadeBy(caller, createdBy);
  }

  @Delete('organizations/:organizationId/api-keys/:keyId')
  @OrganizationAccess('admin')
  @RecentLogin()
  @Answers(
    204,
    undefined,
    'Revoke an API key',
    'The key opens nothing from that moment. It stays in the list, as revoked.',
  )
  revoke(@Param() { keyId }: ApiKeyPath, @Member() caller: OrganizationCaller): Promise<void> {
    return this.apiKeys.revoke(caller, keyId);
  }
}

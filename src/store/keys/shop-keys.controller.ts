import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { AdminPaging } from '../../platform/http/paging.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { ShopKeysService } from './shop-keys.service.js';
import { ShopKey, ShopKeyCreate, ShopKeyCreated, ShopKeyPath } from './shop-keys.dto.js';

@ApiTags('admin')
@Controller('api/v1/admin/keys')
export class ShopKeysController {
  constructor(private readonly keys: ShopKeysService) {}

  @Get()
  @AdminOnly()
  @PersonOnly()
  @CountsTotal()
  @Answers(
    200,
    [ShopKey],
    'List the keys of the shop, newest first',
    'Without the keys themselves, with how each begins, what it may do and when it was last used; revoked and ' +
      'expired ones too.',
  )
  list(@Query() paging: AdminPaging): Promise<ShopKey[]> {
    return this.keys.list(paging);
  }

  @Post()
  @AdminOnly()
  @PersonOnly()
  @RecentLogin()
  @Answers(
    201,
    ShopKeyCreated,
    'Make a key of the shop',
    'For a program, such as an ERP, that administers the shop without signing in as a person. The answer holds the ' +
      'key, which is shown this once: send it as `Authorization: Bearer KEY`. Each operation of the administration ' +
      'says which scope it takes.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(@Body() key: ShopKeyCreate, @Caller() caller: CallerIdentity): Promise<ShopKeyCreated> {
    return this.keys.create(key, caller);
  }

  @Delete(':key_id')
  @AdminOnly()
  @PersonOnly()
  @RecentLogin()
  @Answers(
    204,
    undefined,
    'Revoke a key of the shop',
    'The key opens nothing from that moment. It stays in the list, as revoked.',
  )
  @Refuses({ not_found: ['not_found'] })
  revoke(@Param() { key_id }: ShopKeyPath): Promise<void> {
    return this.keys.revoke(key_id);
  }
}

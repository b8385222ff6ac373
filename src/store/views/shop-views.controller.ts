import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { ShopView, ShopViewCreate, ShopViewFilter, ShopViewPath } from './shop-views.dto.js';
import { ShopViewsService } from './shop-views.service.js';

@ApiTags('admin')
@Controller('api/v1/admin/views')
export class ShopViewsController {
  constructor(private readonly views: ShopViewsService) {}

  @Get()
  @AdminOnly()
  @PersonOnly()
  @CountsTotal()
  @Answers(200, [ShopView], 'List saved views of the shop, newest first', "Those that all admins share, and one's own.")
  list(@Query() filter: ShopViewFilter, @Caller() { id }: CallerIdentity): Promise<ShopView[]> {
    return this.views.list(id, filter);
  }

  @Post()
  @AdminOnly()
  @PersonOnly()
  @Answers(
    201,
    ShopView,
    'Save a view of the shop',
    'The filters and the order of a list of the administration under a name, for oneself or for all admins.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'], conflict: ['view_exists'] })
  create(@Body() view: ShopViewCreate, @Caller() caller: CallerIdentity): Promise<ShopView> {
    return this.views.create(caller, view);
  }

  @Delete(':view_id')
  @AdminOnly()
  @PersonOnly()
  @Answers(204, undefined, 'Delete a saved view of the shop', "One's own, or one that all admins share.")
  @Refuses({ not_found: ['not_found'] })
  remove(@Param() { view_id }: ShopViewPath, @Caller() { id }: CallerIdentity): Promise<void> {
    return this.views.remove(id, view_id);
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { SeesCustomers } from '../../platform/auth/caller.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers } from '../../platform/http/answers.js';
import { StoreEventPage, StoreEventPaging } from './store-events.dto.js';
import { StoreEventsService } from './store-events.service.js';

@ApiTags('store-events')
@Controller('api/v1/admin')
export class StoreEventsController {
  constructor(private readonly events: StoreEventsService) {}

  @Get('events')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    StoreEventPage,
    'Read what happened in the shop, oldest first',
    'The events that webhooks get, for those who rather ask: orders, payments, products, stock, reviews and customers of ' +
      'the last 30 days. Each change that was committed is in the list once, in an order that never changes, so a reader ' +
      "who goes on from `next` misses none. A key of the shop sees customers' data if it has the scope `customers:read`.",
  )
  list(@Query() paging: StoreEventPaging, @SeesCustomers() seesCustomers: boolean): Promise<StoreEventPage> {
    return this.events.list(paging, { seesCustomers });
  }
}

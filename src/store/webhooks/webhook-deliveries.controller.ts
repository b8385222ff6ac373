import { Body, Controller, Get, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  ReplayedWebhook,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryPage,
  WebhookDeliveryPath,
  WebhookReplay,
} from './webhook-deliveries.dto.js';
import { WebhookPath } from './webhooks.dto.js';

@ApiTags('webhooks')
@Controller('api/v1/admin/webhooks/:id/deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get()
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    WebhookDeliveryPage,
    'List the deliveries of a webhook',
    'Those of the last 30 days, newest first, filtered by status and time, each with its attempts.',
  )
  @Refuses({ not_found: ['not_found'] })
  list(@Param() { id }: WebhookPath, @Query() query: WebhookDeliveryFilter): Promise<WebhookDeliveryPage> {
    return this.deliveries.list(id, query);
  }

  @Post('replay')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    202,
    ReplayedWebhook,
    'Send exhausted or canceled deliveries of a webhook again',
    'All that ran out of attempts or were canceled since a time at most 14 days ago, such as the time when the receiver failed.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['webhook_disabled'] })
  @Examples({ body: { since: demo('yesterday') } })
  replayAll(@Param() { id }: WebhookPath, @Body() given: WebhookReplay): Promise<ReplayedWebhook> {
    return this.deliveries.replayAll(id, given);
  }

  @Get(':delivery_id')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    WebhookDelivery,
    'Get a delivery of a webhook',
    'With its attempts: their time, duration and response, and when the next one is due.',
  )
  @Refuses({ not_found: ['not_found'] })
  get(@Param() path: WebhookDeliveryPath): Promise<WebhookDelivery> {
    return this.deliveries.get(path);
  }

  @Get(':delivery_id/payload')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(200, Object, 'Get the payload of a delivery of a webhook', 'The exact bytes that every attempt sends.')
  @Refuses({ not_found: ['not_found'] })
  async payload(@Param() path: WebhookDeliveryPath): Promise<StreamableFile> {
    const bytes = await this.deliveries.payload(path);
    return new StreamableFile(bytes, { type: 'application/json', length: bytes.length });
  }

  @Post(':delivery_id/replay')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    202,
    undefined,
    'Send a delivery of a webhook again',
    'A new series of attempts with the same bytes and the same `webhook-id`.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['webhook_disabled', 'under_way'] })
  replay(@Param() path: WebhookDeliveryPath): Promise<void> {
    return this.deliveries.replay(path);
  }
}

import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { SeesCustomers } from '../../platform/auth/caller.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { WebhookTestsService } from './webhook-tests.service.js';
import { WebhooksService } from './webhooks.service.js';
import {
  RotatedWebhookSecret,
  Webhook,
  WebhookCreate,
  WebhookPath,
  WebhookPreview,
  WebhookSecretRotation,
  WebhookTest,
  WebhookTestOf,
  WebhookUpdate,
} from './webhooks.dto.js';

const toErp = { url: 'https://erp.example.com/hooks/shop', events: ['order.paid', 'order.cancelled', 'stock.low'] };

@ApiTags('webhooks')
@Controller('api/v1/admin/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: WebhookTestsService,
  ) {}

  @Get()
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(200, [Webhook], 'List the webhooks of the shop', 'All of them, newest first, their secrets masked.')
  list(): Promise<Webhook[]> {
    return this.webhooks.list();
  }

  @Post()
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    201,
    Webhook,
    'Create a webhook',
    'It gets the events of all changes from then on, signed by its secret (Standard Webhooks), which only this response ' +
      'shows. Failed deliveries are tried again over a day. An address in a private or reserved network is refused.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  @Examples({ body: toErp })
  create(@Body() webhook: WebhookCreate, @SeesCustomers() seesCustomers: boolean): Promise<Webhook> {
    return this.webhooks.create(webhook, seesCustomers);
  }

  @Get(':id')
  @AdminOnly()
  @Scope('webhooks:write')
  @Versioned()
  @Answers(200, Webhook, 'Get a webhook', 'With its secret masked.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { id }: WebhookPath): Promise<Webhook> {
    return this.webhooks.get(id);
  }

  @Patch(':id')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    Webhook,
    'Change a webhook',
    'Omitted fields stay as they are. Disabling it cancels what it has yet to get; send `enabled: true` to enable one that ' +
      'the service has disabled. Events of the time between are at GET /api/v1/admin/events.',
  )
  @Examples({ body: { events: ['order.paid', 'stock.low', 'stock.out'] } })
  @TakesIfMatch()
  @Refuses({ not_found: ['not_found'], precondition_failed: ['changed_meanwhile'] })
  update(
    @Param() { id }: WebhookPath,
    @Body() changes: WebhookUpdate,
    @IfMatch() ifMatch: string | null,
    @SeesCustomers() seesCustomers: boolean,
  ): Promise<Webhook> {
    return this.webhooks.update(id, changes, ifMatch, seesCustomers);
  }

  @Delete(':id')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(204, undefined, 'Delete a webhook', 'With its deliveries, sent and yet to be sent.')
  @Refuses({ not_found: ['not_found'] })
  remove(@Param() { id }: WebhookPath): Promise<void> {
    return this.webhooks.remove(id);
  }

  @Post(':id/rotate-secret')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    RotatedWebhookSecret,
    'Rotate the secret of a webhook',
    'Until the overlap ends, both secrets sign, each with its own signature in the webhook-signature header (Standard ' +
      'Webhooks), so that receivers can switch in the meantime.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['conflict'] })
  rotateSecret(@Param() { id }: WebhookPath, @Body() given: WebhookSecretRotation): Promise<RotatedWebhookSecret> {
    return this.webhooks.rotate(id, given);
  }

  @Get(':id/preview')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    WebhookPreview,
    'Preview what a webhook gets',
    'The newest event of each of its types, as it was or would have been sent, or a sample where there is none.',
  )
  @Refuses({ not_found: ['not_found'] })
  preview(@Param() { id }: WebhookPath): Promise<WebhookPreview> {
    return this.tests.preview(id);
  }

  @Post(':id/test')
  @AdminOnly()
  @Scope('webhooks:write')
  @Answers(
    200,
    WebhookTest,
    'Send a sample to a webhook',
    'An invented event that fits the published schema, with `"test": true` at its root. It has the signature of the webhook, ' +
      'is sent once, immediately, and is not stored.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['webhook_disabled'], too_many_requests: ['tests_busy'] })
  test(@Param() { id }: WebhookPath, @Body() { type }: WebhookTestOf): Promise<WebhookTest> {
    return this.tests.send(id, type);
  }
}

import { Controller, Headers, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/auth/access.js';
import { Answers } from '../../platform/http/answers.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { WebhookReceipt } from './payments.dto.js';
import { StripeWebhooksService } from './stripe-webhooks.service.js';

/** Takes what Stripe tells. Its body is raw, since Stripe signs its bytes. */
@ApiExcludeController()
@Controller('api/v1/payments/stripe')
export class StripeWebhookController {
  constructor(private readonly webhooks: StripeWebhooksService) {}

  @Post('webhook')
  @Public()
  @StreamedBody()
  @Answers(200, WebhookReceipt, 'Take an event of Stripe')
  receive(
    @Req() request: Request,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<WebhookReceipt> {
    return this.webhooks.receive(request.body, signature ?? '');
  }
}

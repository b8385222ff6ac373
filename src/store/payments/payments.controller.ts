import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { OrderPath } from '../orders/orders.dto.js';
import { PaymentRequest, PaymentStart } from './payments.dto.js';
import { PaymentsService } from './payments.service.js';

@ApiTags('orders')
@Controller('api/v1/orders')
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  // Unspecified: how an order is paid.
  @Post(':order_id/payment')
  @Bearer()
  @TakesIdempotencyKey('asks for the payment')
  @Answers(
    200,
    PaymentRequest,
    'Pay your order',
    'Only while it is pending. Returns the page of the payment provider on which to pay what is due; card data never ' +
      'reach the service. An open page for the same amount is returned again. Where the shop records payments by ' +
      'hand, it returns the instructions of the shop instead.',
  )
  @Refuses({
    not_found: ['not_found'],
    forbidden: ['not_the_owner'],
    conflict: ['not_payable', 'payment_refused', 'request_running'],
    upstream_failed: ['upstream_failed'],
  })
  @Examples({ order_id: demo('pendingOrder'), body: {} })
  open(
    @Param() { order_id }: OrderPath,
    @Body() start: PaymentStart,
    @Caller() caller: CallerIdentity,
    @IdempotencyKey() key: string | null,
  ): Promise<PaymentRequest> {
    return this.payments.open(order_id, start, caller, key);
  }
}

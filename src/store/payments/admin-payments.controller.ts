import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { AskedBy, type Requester } from '../../platform/auth/caller.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { OrderPath } from '../orders/orders.dto.js';
import { PaymentRecordsService } from './payment-records.service.js';
import { OrderPayments, PaymentRecord, RecordedPayment, RefundStart, StartedRefund } from './payments.dto.js';
import { RefundsService } from './refunds.service.js';

// Unspecified: all of it.
@ApiTags('admin')
@Controller('api/v1/admin/orders/:order_id')
export class AdminPaymentsController {
  constructor(
    private readonly payments: PaymentRecordsService,
    private readonly refunds: RefundsService,
  ) {}

  @Get('payments')
  @AdminOnly()
  @Scope('orders:read')
  @Answers(200, OrderPayments, 'Read the payments of an order', 'With its refunds, and what is still to be paid.')
  @Refuses({ not_found: ['not_found'] })
  @Examples({ order_id: demo('unshippedOrder') })
  list(@Param() { order_id }: OrderPath): Promise<OrderPayments> {
    return this.payments.list(order_id);
  }

  @Post('payments')
  @AdminOnly()
  @Scope('orders:write')
  @TakesIdempotencyKey('records the payment')
  @Answers(
    201,
    RecordedPayment,
    'Record a payment of an order',
    'Money that came outside the service, such as by bank transfer. A pending order that is fully paid becomes paid. ' +
      'Money for a cancelled order is kept, shown in `payment_problem`, and can be refunded. A reference is recorded ' +
      'once.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['conflict', 'payment_recorded', 'request_running'] })
  @Examples({ order_id: demo('pendingOrder'), body: { amount: 5, method: 'bank transfer' } })
  record(
    @Param() { order_id }: OrderPath,
    @Body() record: PaymentRecord,
    @AskedBy() by: Requester,
    @IdempotencyKey() key: string | null,
  ): Promise<RecordedPayment> {
    return this.payments.record(order_id, record, by, key);
  }

  @Post('refunds')
  @AdminOnly()
  @Scope('orders:write')
  @TakesIdempotencyKey('refunds')
  @Answers(
    201,
    StartedRefund,
    'Refund an order, or a part of it',
    'An amount, or pieces of its lines, which go back into stock unless `restock` is false. The money goes back the ' +
      'way it came; what was recorded by hand is to be paid back by hand. Never more is refunded than was paid. An ' +
      'order of which nothing is left becomes refunded. A refund stays `pending` while the provider does not answer: ' +
      'it is asked again.',
  )
  @Refuses({
    not_found: ['not_found'],
    conflict: ['refund_too_large', 'refund_refused', 'request_running'],
  })
  @Examples({ order_id: demo('unshippedOrder'), body: { amount: 1, reason: 'A scratch' } })
  refund(
    @Param() { order_id }: OrderPath,
    @Body() start: RefundStart,
    @AskedBy() by: Requester,
    @IdempotencyKey() key: string | null,
  ): Promise<StartedRefund> {
    return this.refunds.create(order_id, start, by, key);
  }
}

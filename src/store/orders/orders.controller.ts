import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OpenUnderContract, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../platform/auth/caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import type { JsonText } from '../../platform/http/json-text.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { CheckoutService } from './checkout.service.js';
import { OrdersService } from './orders.service.js';
import { Quote, QuoteRequest } from './quotes.dto.js';
import { QuotesService } from './quotes.service.js';
import { CheckoutRequest, Order, OrderPaging, OrderPath, Referrer } from './orders.dto.js';
import { originOf } from './referrer.js';

@ApiTags('orders')
@Controller('api/v1/orders/')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly checkouts: CheckoutService,
    private readonly quotes: QuotesService,
  ) {}

  @Get()
  @Bearer()
  @CountsTotal()
  @Answers(
    200,
    [Order],
    'List your orders',
    'Newest first, each with its lines as they were ordered. `X-Total-Count` is the total; for the next page, ' +
      'increase `skip` by the number of orders received.',
  )
  // Unspecified: paging of this list. The first hundred are what a client of the interface description gets.
  list(@Query() paging: OrderPaging, @Caller() caller: CallerIdentity): Promise<Order[]> {
    return this.orders.listOwn(paging, caller);
  }

  @Post()
  @Bearer()
  @TakesIdempotencyKey('orders')
  @Answers(
    201,
    Order,
    'Order the contents of your cart without shipping',
    'Places an order for everything in the cart, in one transaction: stock and cart change together or not at all. ' +
      'The order has no shipping details. With an `Idempotency-Key`, a repeated request gets the first response.',
  )
  @Refuses({
    rule_broken: ['empty_cart'],
    conflict: ['insufficient_stock', 'request_running'],
    quota_exceeded: ['quota_exceeded'],
    too_many_requests: ['rate_exceeded'],
  })
  create(@Caller() caller: CallerIdentity, @IdempotencyKey() key: string | null): Promise<JsonText<Order>> {
    return this.checkouts.create(caller, key);
  }

  @Get('referrer')
  @Public()
  @Answers(
    200,
    Referrer,
    'Return the site that the caller came from',
    'The origin (scheme, host and port) of the header Referer, or null.',
  )
  referrer(@Headers('referer') referer: string | undefined): Referrer {
    return { referrer: originOf(referer) };
  }

  @Post('checkout')
  @Bearer()
  @TakesIdempotencyKey('orders')
  @Answers(
    201,
    Order,
    'Order the contents of your cart with shipping and optionally a coupon',
    'Places an order for everything in the cart, in one transaction: stock, coupon and cart change together or not ' +
      'at all. The total is the goods less the discount, plus shipping. Under the hardened access policy, shipping ' +
      'is a method of the shop at its cost (`GET /shop`). With an `Idempotency-Key`, a repeated request gets the ' +
      'first response.',
  )
  @Refuses({
    rule_broken: ['empty_cart', 'coupon_unusable'],
    conflict: ['insufficient_stock', 'request_running'],
    quota_exceeded: ['quota_exceeded'],
    too_many_requests: ['rate_exceeded'],
  })
  checkout(
    @Body() request: CheckoutRequest,
    @Caller() caller: CallerIdentity,
    @IdempotencyKey() key: string | null,
  ): Promise<JsonText<Order>> {
    return this.checkouts.checkout(request, caller, key);
  }

  // Unspecified: what an order would cost before it is placed.
  @Post('quote')
  @Bearer()
  @Answers(
    200,
    Quote,
    'Ask what a checkout of your cart would do',
    'The lines, the discount, what shipping costs, and the total, as the checkout with the same body would make them ' +
      'now; the address may be left out. It orders and reserves nothing. `problems` are the errors with which the ' +
      'checkout would be refused. A coupon code that there is not counts as a wrong one.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  quote(@Body() request: QuoteRequest, @Caller() caller: CallerIdentity): Promise<Quote> {
    return this.quotes.quote(request, caller);
  }

  @Get(':order_id')
  @OpenUnderContract('bearer')
  @Answers(
    200,
    Order,
    'Get an order',
    'The contract access policy lets everybody read an order by its number, but only its owner and admins see the ' +
      'shipping details. The hardened policy requires the owner or an admin.',
  )
  @Refuses({ not_found: ['not_found'], forbidden: ['not_the_owner'] })
  get(@Param() { order_id }: OrderPath, @MaybeCaller() caller: CallerIdentity | null): Promise<Order> {
    return this.orders.get(order_id, caller);
  }

  // Unspecified: how an owner calls an order off; here, as long as the shop has not begun to work on it.
  @Post(':order_id/cancel')
  @Bearer()
  @Answers(
    200,
    Order,
    'Cancel your order',
    'Only while it is pending: its pieces return to the stock, and the use of its coupon is undone. Later, only an ' +
      'admin can cancel it.',
  )
  @Refuses({ not_found: ['not_found'], forbidden: ['not_the_owner'], conflict: ['impossible_transition'] })
  @Examples({ order_id: demo('pendingOrder') })
  cancel(@Param() { order_id }: OrderPath, @Caller() caller: CallerIdentity): Promise<Order> {
    return this.orders.cancel(order_id, caller);
  }
}

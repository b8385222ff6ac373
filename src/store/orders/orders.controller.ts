import { Body, Controller, Get, Headers, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OpenUnderContract, Public } from '../../common/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { CheckoutService } from './checkout.service.js';
import { IdempotencyKey, TakesIdempotencyKey } from './idempotency-key.js';
import { OrdersService } from './orders.service.js';
import { CheckoutRequest, Order, OrderPath, Referrer } from './orders.shapes.js';
import { originOf } from './referrer.js';

const keyRunning = 'a request of the same Idempotency-Key is running';

@ApiTags('orders')
@Controller('api/v1/orders')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly checkouts: CheckoutService,
  ) {}

  @Get('/')
  @Bearer()
  @Answers(200, [Order], 'List your orders')
  list(@Caller() caller: CallerIdentity): Promise<Order[]> {
    return this.orders.listOwn(caller);
  }

  @Post('/')
  @Bearer()
  @TakesIdempotencyKey()
  @Answers(201, Order, 'Order what is in your cart, without shipping')
  @Refuses({ rule_broken: 'The cart is empty', conflict: `A line is over the stock, or ${keyRunning}` })
  create(@Caller() caller: CallerIdentity, @IdempotencyKey() key: string | null): Promise<Order> {
    return this.checkouts.create(caller, key);
  }

  @Get('referrer')
  @Public()
  @Answers(200, Referrer, 'Say which site the caller came from')
  referrer(@Headers('referer') referer: string | undefined): Referrer {
    return { referrer: originOf(referer) };
  }

  @Post('checkout')
  @Bearer()
  @TakesIdempotencyKey()
  @Answers(201, Order, 'Order what is in your cart, with shipping and perhaps a coupon')
  @Refuses({
    rule_broken: 'The cart is empty, or the coupon cannot be used',
    conflict: `A line is over the stock, or ${keyRunning}`,
  })
  checkout(
    @Body() request: CheckoutRequest,
    @Caller() caller: CallerIdentity,
    @IdempotencyKey() key: string | null,
  ): Promise<Order> {
    return this.checkouts.checkout(request, caller, key);
  }

  @Get(':order_id')
  @OpenUnderContract('bearer')
  @Answers(200, Order, 'Get an order')
  @Refuses({ not_found: 'No such order', forbidden: 'Under the hardened policy: not your order' })
  get(@Param() { order_id }: OrderPath, @MaybeCaller() caller: CallerIdentity | null): Promise<Order> {
    return this.orders.get(order_id, caller);
  }
}

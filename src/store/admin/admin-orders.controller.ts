import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { OrderTimelineService } from '../orders/order-timeline.service.js';
import { OrderTimeline } from '../orders/order-timeline.dto.js';
import { OrdersService } from '../orders/orders.service.js';
import {
  AdminOrder,
  Order,
  OrderFilter,
  OrderMoves,
  OrderPath,
  OrderStatusChange,
  OrderStatusOfMany,
} from '../orders/orders.dto.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminOrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly timelines: OrderTimelineService,
  ) {}

  // Unspecified: the body; an array of orders with shipping, newest first.
  @Get('orders')
  @AdminOnly()
  @CountsTotal()
  @Answers(
    200,
    [AdminOrder],
    'List all orders',
    'Of all customers, newest first, with shipping details, as the filters narrow them.',
  )
  list(@Query() filter: OrderFilter): Promise<AdminOrder[]> {
    return this.orders.list(filter);
  }

  // Unspecified: moving many.
  @Put('orders/status')
  @AdminOnly()
  @Answers(
    200,
    OrderMoves,
    'Move many orders to another status',
    'Up to 500, each by the rules of one, in a transaction of its own and with an answer of its own: what is refused ' +
      'stops no other. Sent again after a failure, it leaves those alone that were moved already.',
  )
  changeStatusOfMany(@Body() change: OrderStatusOfMany): Promise<OrderMoves> {
    return this.orders.changeStatusOfMany(change);
  }

  // Unspecified: what is told of an order.
  @Get('orders/:order_id/timeline')
  @AdminOnly()
  @Answers(
    200,
    OrderTimeline,
    'Read what happened to an order, and who did it',
    'Who placed it, and each change of its status as the audit log has it: entries leave that log after its retention.',
  )
  @Refuses({ not_found: ['not_found'] })
  @Examples({ order_id: demo('order') })
  timeline(@Param() { order_id }: OrderPath): Promise<OrderTimeline> {
    return this.timelines.of(order_id);
  }

  // Unspecified: the body; the order as it is then.
  @Put('orders/:order_id/status')
  @AdminOnly()
  @Answers(
    200,
    Order,
    'Move an order to another status',
    'From pending over paid, processing, shipped and delivered to completed, forward in any stride; cancelled ' +
      'before it is shipped, refunded once it is paid. Cancelling, and refunding what was not shipped, returns ' +
      'stock and coupon. There is no way back.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['impossible_transition'] })
  @Examples({ order_id: demo('unshippedOrder'), new_status: 'shipped' })
  changeStatus(@Param() { order_id }: OrderPath, @Query() { new_status }: OrderStatusChange): Promise<Order> {
    return this.orders.changeStatus(order_id, new_status);
  }
}

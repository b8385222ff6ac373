import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
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
  @Scope('orders:read')
  @CountsTotal()
  @Answers(
    200,
    [AdminOrder],
    'List all orders',
    'Of all customers, newest first, with shipping details; filtered by the parameters.',
  )
  list(@Query() filter: OrderFilter): Promise<AdminOrder[]> {
    return this.orders.list(filter);
  }

  // Unspecified: moving many.
  @Put('orders/status')
  @AdminOnly()
  @Scope('orders:write')
  @Answers(
    200,
    OrderMoves,
    'Change the status of many orders',
    'Up to 500 orders, each in its own transaction and with its own result: a refused order does not stop the ' +
      'others. A repeated request skips the orders that were already changed. Where a person would stop (shipping ' +
      'without an address, delivery of what is unpaid, canceling what is paid), an order is refused with needs_confirmation unless ' +
      '`confirm` is true.',
  )
  changeStatusOfMany(@Body() change: OrderStatusOfMany): Promise<OrderMoves> {
    return this.orders.changeStatusOfMany(change);
  }

  // Unspecified: what is told of an order.
  @Get('orders/:order_id/timeline')
  @AdminOnly()
  @Scope('orders:read')
  @Answers(
    200,
    OrderTimeline,
    'Read the history of an order',
    'Who placed it, who changed its status and tracking and noted what, which money came and went, and which mails ' +
      'were sent, when. Changes and mails come from the audit log, which deletes them after its retention time.',
  )
  @Refuses({ not_found: ['not_found'] })
  @Examples({ order_id: demo('order') })
  timeline(@Param() { order_id }: OrderPath): Promise<OrderTimeline> {
    return this.timelines.of(order_id);
  }

  // Unspecified: the body; the order as it is then.
  @Put('orders/:order_id/status')
  @AdminOnly()
  @Scope('orders:write')
  @Answers(
    200,
    Order,
    'Change the status of an order',
    'From pending over paid, processing, shipped and delivered to completed; steps may be skipped. An order can be ' +
      'cancelled before it is shipped, and refunded once it is paid. Canceling, and refunding before shipment, ' +
      'returns stock and coupon. A status never goes back. `confirm` says whether to stop where a person would.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['impossible_transition', 'needs_confirmation'] })
  @Examples({ order_id: demo('unshippedOrder'), new_status: 'shipped', confirm: true })
  changeStatus(@Param() { order_id }: OrderPath, @Query() { new_status, confirm }: OrderStatusChange): Promise<Order> {
    return this.orders.changeStatus(order_id, new_status, confirm);
  }
}

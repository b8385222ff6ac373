import { Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/access.js';
import { Answers, Examples, Refuses } from '../../common/http/answers.js';
import { CountsTotal } from '../../common/http/total-count.js';
import { demo } from '../../common/openapi/demo-values.js';
import { OrdersService } from '../orders/orders.service.js';
import { Order, OrderFilter, OrderPath, OrderStatusChange } from '../orders/orders.shapes.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminOrdersController {
  constructor(private readonly orders: OrdersService) {}

  // Unspecified: the body; an array of orders with shipping, newest first.
  @Get('orders')
  @AdminOnly()
  @CountsTotal()
  @Answers(
    200,
    [Order],
    'List all orders',
    'Of all customers, newest first, with shipping details; `status_filter` narrows them to one status.',
  )
  list(@Query() filter: OrderFilter): Promise<Order[]> {
    return this.orders.list(filter);
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

import { Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/access.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { OrdersService } from '../orders/orders.service.js';
import { Order, OrderFilter, OrderPath, OrderStatusChange } from '../orders/orders.shapes.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminOrdersController {
  constructor(private readonly orders: OrdersService) {}

  // Not shown: the body; an array of Order, with shipping, newest first.
  @Get('orders')
  @AdminOnly()
  @Answers(200, [Order], 'List all orders')
  list(@Query() filter: OrderFilter): Promise<Order[]> {
    return this.orders.list(filter);
  }

  // Not shown: the body; the Order as it is then.
  @Put('orders/:order_id/status')
  @AdminOnly()
  @Answers(200, Order, 'Move an order to another status')
  @Refuses({ not_found: 'No such order', conflict: 'The order cannot come to that status' })
  changeStatus(@Param() { order_id }: OrderPath, @Query() { new_status }: OrderStatusChange): Promise<Order> {
    return this.orders.changeStatus(order_id, new_status);
  }
}

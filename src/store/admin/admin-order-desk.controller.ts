import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { OrderDeskService } from '../orders/order-desk.service.js';
import {
  OrderMailPath,
  OrderNote,
  OrderNoteCreate,
  OrderNotesQuery,
  OrderQueues,
  SentOrderMail,
  TrackingUpdate,
} from '../orders/order-desk.dto.js';
import { OrderNotesService } from '../orders/order-notes.service.js';
import { Order, OrderPath } from '../orders/orders.dto.js';

// Unspecified: what a shop does about an order beside its status.
@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminOrderDeskController {
  constructor(
    private readonly desk: OrderDeskService,
    private readonly notes: OrderNotesService,
  ) {}

  @Get('orders/queues')
  @AdminOnly()
  @Scope('orders:read')
  @Answers(
    200,
    OrderQueues,
    'Count the orders that wait for somebody',
    'Each counted up to 10,000; an order can be in several. `queue` of the list of orders lists one of them.',
  )
  queues(): Promise<OrderQueues> {
    return this.desk.queues();
  }

  @Patch('orders/:order_id')
  @AdminOnly()
  @Scope('orders:write')
  @Answers(
    200,
    Order,
    'Write the tracking of an order',
    'Its owner sees it, and so does the mail that it was shipped: write it before you change the status. Omitted ' +
      'fields stay as they are; null empties one.',
  )
  @Refuses({ not_found: ['not_found'] })
  @Examples({ order_id: demo('unshippedOrder') })
  track(@Param() { order_id }: OrderPath, @Body() tracking: TrackingUpdate): Promise<Order> {
    return this.desk.track(order_id, tracking);
  }

  @Get('orders/:order_id/notes')
  @AdminOnly()
  @Scope('orders:read')
  @CountsTotal()
  @Answers(200, [OrderNote], 'List the notes about an order', 'Newest first. Its customer never sees them.')
  @Refuses({ not_found: ['not_found'] })
  listNotes(@Param() { order_id }: OrderPath, @Query() paging: OrderNotesQuery): Promise<OrderNote[]> {
    return this.notes.list(order_id, paging);
  }

  @Post('orders/:order_id/notes')
  @AdminOnly()
  @Scope('orders:write')
  @Answers(201, OrderNote, 'Add a note to an order', 'Its customer never sees it. It stays, and names its author.')
  @Refuses({ not_found: ['not_found'], quota_exceeded: ['quota_exceeded'] })
  addNote(@Param() { order_id }: OrderPath, @Body() note: OrderNoteCreate): Promise<OrderNote> {
    return this.notes.add(order_id, note);
  }

  @Post('orders/:order_id/mails/:mail')
  @AdminOnly()
  @Scope('orders:write')
  @Answers(
    202,
    SentOrderMail,
    'Send a mail about an order again',
    'To the address of its customer, worded as the order is now; only where it makes sense: no confirmation of an ' +
      'order that was cancelled.',
  )
  @Refuses({
    not_found: ['not_found'],
    conflict: ['mail_not_due'],
    too_many_requests: ['rate_exceeded'],
  })
  sendMail(@Param() { order_id, mail }: OrderMailPath): Promise<SentOrderMail> {
    return this.desk.sendMail(order_id, mail);
  }
}

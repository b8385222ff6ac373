import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CouponsModule } from '../coupons/coupons.module.js';
import { CheckoutRepository } from './checkout.repository.js';
import { CheckoutService } from './checkout.service.js';
import { OrderDeskService } from './order-desk.service.js';
import { OrderIndex } from './order-index.js';
import { OrderItemEntity } from './order-item.entity.js';
import { MoneyMails } from './money-mails.js';
import { OrderMoneyRepository } from './order-money.repository.js';
import { OrderMoneyService } from './order-money.service.js';
import { OrderMails } from './order-mails.js';
import { OrderNoteEntity } from './order-note.entity.js';
import { OrderNotesRepository } from './order-notes.repository.js';
import { OrderNotesService } from './order-notes.service.js';
import { OrderSearchEntity } from './order-search.entity.js';
import { OrderEntity } from './order.entity.js';
import { OrderTimelineService } from './order-timeline.service.js';
import { UnindexedOrderEntity } from './unindexed-order.entity.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { QuotesRepository } from './quotes.repository.js';
import { QuotesService } from './quotes.service.js';
import { ShippingCharges } from './shipping-charge.js';

@Module({
  imports: [
    repositoriesOf([OrderEntity, OrderItemEntity, OrderSearchEntity, UnindexedOrderEntity, OrderNoteEntity]),
    CouponsModule,
  ],
  controllers: [OrdersController],
  providers: [
    OrdersService,
    OrderTimelineService,
    OrderIndex,
    OrderDeskService,
    OrderNotesService,
    OrderNotesRepository,
    OrdersRepository,
    OrderMails,
    MoneyMails,
    OrderMoneyService,
    OrderMoneyRepository,
    CheckoutService,
    CheckoutRepository,
    QuotesService,
    QuotesRepository,
    ShippingCharges,
  ],
  exports: [OrdersService, OrderTimelineService, OrderDeskService, OrderNotesService, OrderMoneyService],
})
export class OrdersModule {}

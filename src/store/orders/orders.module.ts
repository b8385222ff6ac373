import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CouponsModule } from '../coupons/coupons.module.js';
import { ShopModule } from '../shop/shop.module.js';
import { CheckoutRepository } from './checkout.repository.js';
import { CheckoutService } from './checkout.service.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { OrderDeskService } from './order-desk.service.js';
import { OrderIndex } from './order-index.js';
import { OrderItemEntity } from './order-item.entity.js';
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

@Module({
  imports: [
    repositoriesOf([
      OrderEntity,
      OrderItemEntity,
      OrderSearchEntity,
      UnindexedOrderEntity,
      OrderNoteEntity,
      IdempotencyKeyEntity,
    ]),
    CouponsModule,
    ShopModule,
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
    CheckoutService,
    CheckoutRepository,
    IdempotencyKeysRepository,
    IdempotencyKeySweep,
  ],
  exports: [OrdersService, OrderTimelineService, OrderDeskService, OrderNotesService],
})
export class OrdersModule {}

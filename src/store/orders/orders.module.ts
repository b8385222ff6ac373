import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CouponsModule } from '../coupons/coupons.module.js';
import { CheckoutRepository } from './checkout.repository.js';
import { CheckoutService } from './checkout.service.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { OrderItemEntity } from './order-item.entity.js';
import { OrderMails } from './order-mails.js';
import { OrderEntity } from './order.entity.js';
import { OrderTimelineService } from './order-timeline.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { QuotesRepository } from './quotes.repository.js';
import { QuotesService } from './quotes.service.js';
import { ShippingCharges } from './shipping-charge.js';

@Module({
  imports: [repositoriesOf([OrderEntity, OrderItemEntity, IdempotencyKeyEntity]), CouponsModule],
  controllers: [OrdersController],
  providers: [
    OrdersService,
    OrderTimelineService,
    OrdersRepository,
    OrderMails,
    CheckoutService,
    CheckoutRepository,
    QuotesService,
    QuotesRepository,
    ShippingCharges,
    IdempotencyKeysRepository,
    IdempotencyKeySweep,
  ],
  exports: [OrdersService, OrderTimelineService],
})
export class OrdersModule {}

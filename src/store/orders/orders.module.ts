import { Module } from '@nestjs/common';
import { CouponsModule } from '../coupons/coupons.module.js';
import { CheckoutRepository } from './checkout.repository.js';
import { CheckoutService } from './checkout.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [CouponsModule],
  controllers: [OrdersController],
  providers: [OrdersService, OrdersRepository, CheckoutService, CheckoutRepository],
  exports: [OrdersService],
})
export class OrdersModule {}

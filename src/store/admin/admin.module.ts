import { Module } from '@nestjs/common';
import { CouponsModule } from '../coupons/coupons.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { AdminCouponsController } from './admin-coupons.controller.js';
import { AdminOrdersController } from './admin-orders.controller.js';

@Module({
  imports: [CouponsModule, OrdersModule],
  controllers: [AdminOrdersController, AdminCouponsController],
})
export class AdminModule {}

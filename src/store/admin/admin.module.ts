import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CouponsModule } from '../coupons/coupons.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { AdminCouponsController } from './admin-coupons.controller.js';
import { AdminOrdersController } from './admin-orders.controller.js';
import { AdminUsersController } from './admin-users.controller.js';

@Module({
  imports: [AccountsModule, CouponsModule, OrdersModule],
  controllers: [AdminOrdersController, AdminCouponsController, AdminUsersController],
})
export class AdminModule {}

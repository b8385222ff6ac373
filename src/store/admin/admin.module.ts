import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { CouponsModule } from '../coupons/coupons.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TotpModule } from '../totp/totp.module.js';
import { AdminAuditController } from './admin-audit.controller.js';
import { AdminCategoriesController } from './admin-categories.controller.js';
import { AdminCouponsController } from './admin-coupons.controller.js';
import { AdminDashboardController } from './admin-dashboard.controller.js';
import { AdminOrderDeskController } from './admin-order-desk.controller.js';
import { AdminOrdersController } from './admin-orders.controller.js';
import { AdminProductFilesController } from './admin-product-files.controller.js';
import { AdminProductsController } from './admin-products.controller.js';
import { AdminShopController } from './admin-shop.controller.js';
import { AdminUsersController } from './admin-users.controller.js';
import { CustomersRepository } from './customers.repository.js';
import { CustomersService } from './customers.service.js';
import { DashboardRepository } from './dashboard.repository.js';
import { DashboardService } from './dashboard.service.js';
import { FiguresRepository } from './figures.repository.js';
import { SeriesRepository } from './series.repository.js';
import { ShopAuditService } from './shop-audit.service.js';

@Module({
  imports: [AccountsModule, CatalogueModule, CouponsModule, OrdersModule, SessionsModule, TotpModule],
  controllers: [
    AdminDashboardController,
    // Before the addresses of single products.
    AdminProductFilesController,
    AdminProductsController,
    AdminOrdersController,
    AdminOrderDeskController,
    AdminCouponsController,
    AdminCategoriesController,
    AdminShopController,
    AdminUsersController,
    AdminAuditController,
  ],
  providers: [
    CustomersService,
    CustomersRepository,
    DashboardService,
    DashboardRepository,
    SeriesRepository,
    FiguresRepository,
    ShopAuditService,
  ],
})
export class AdminModule {}

import { Injectable } from '@nestjs/common';
import { Changes } from '../database/changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DemoOrdersService } from '../demo/shop/demo-orders.service.js';
import { everything } from '../platform/changes/change-bus.js';
import { Invalid } from '../platform/errors/invalid.js';
import { ProductEditingService } from '../store/catalogue/product-editing.service.js';
import { CouponsService } from '../store/coupons/coupons.service.js';
import { reachedWith } from '../store/orders/order-status.js';
import type { TestCouponCreate, TestOrderCreate, TestProductCreate } from './test-rows.dto.js';
import { TestRowsRepository } from './test-rows.repository.js';

/** Makes products, coupons and orders in any state: by the rules of the service where it has some, and then as they would be after a while. */
@Injectable()
export class TestRowsService {
  constructor(
    private readonly repository: TestRowsRepository,
    private readonly demo: DemoOrdersService,
    private readonly products: ProductEditingService,
    private readonly coupons: CouponsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
  ) {}

  product({ created_at, ...product }: TestProductCreate) {
    return this.written(async () => {
      const made = await this.products.create(product);
      if (created_at !== undefined) await this.repository.dateProduct(made.id, created_at);
      return Object.assign(made, created_at === undefined ? {} : { created_at: new Date(created_at) });
    });
  }

  coupon({ created_at, current_uses, ...coupon }: TestCouponCreate) {
    return this.written(async () => {
      const made = await this.coupons.create(coupon);
      await this.repository.setCoupon(made.id, current_uses, created_at);
      return Object.assign(made, { current_uses });
    });
  }

  /**
   * An order with its total and, beyond pending, its payment; it takes nothing from the stock. `Invalid` where there is no
   * such account or product.
   */
  order({ username, status, items, shipping_cost, tracking_number, created_at }: TestOrderCreate) {
    return this.written(async () => {
      const id = await this.repository.insertOrder({
        username,
        status,
        reached: reachedWith({ status, reached: 'pending' }),
        shippingCost: shipping_cost,
        trackingNumber: tracking_number,
        createdAt: created_at,
      });
      if (id === null) throw Invalid.at(['body', 'username'], 'value_error', 'Nobody has this username', username);
      if ((await this.repository.insertLines(id, items)) < items.length) {
        throw Invalid.at(['body', 'items'], 'value_error', 'There is no product of one of the ids');
      }
      await this.demo.settleOrders([id]);
      return { id, status };
    });
  }

  private written<T>(work: () => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async () => {
      const made = await work();
      this.changes.invalidate([everything]);
      return made;
    });
  }
}

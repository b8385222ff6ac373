import { Injectable } from '@nestjs/common';
import { coupons, demoShopper, people } from '@store-service/demo';
import { Passwords } from '../../platform/crypto/passwords.js';
import { UploadsService } from '../../store/uploads/uploads.service.js';
import { DemoDataRepository } from '../demo-data.repository.js';
import { DemoRowsRepository } from '../demo-rows.repository.js';
import { accountsOf, emailOf, renamed } from './accounts.js';
import { demoOrders } from './orders.js';
import { demoReviews } from './reviews.js';
import { savePictures } from './save-pictures.js';
import { DemoOrdersService } from './demo-orders.service.js';
import { DemoWebhookService } from './demo-webhook.service.js';
import * as rowsOf from './shop-rows.js';

/** The demo's shop: products with pictures, users, orders with notes, coupons, reviews and testimonials. */
@Injectable()
export class ShopDemoService {
  constructor(
    private readonly demo: DemoDataRepository,
    private readonly rows: DemoRowsRepository,
    private readonly uploads: UploadsService,
    private readonly passwords: Passwords,
    private readonly webhook: DemoWebhookService,
    private readonly orders: DemoOrdersService,
  ) {}

  /** Writes the shop, once, in a unit of work. Returns the ids of its users by their usernames in the demo. */
  async load(now: Date): Promise<Map<string, string>> {
    const pictures = await savePictures((kind, name, bytes) => this.uploads.saveGenerated(kind, name, bytes));
    const names = renamed(await this.takenNames());
    const accounts = accountsOf(names);
    const orders = demoOrders(now);

    const users = rowsOf.userRows(accounts, pictures, await this.shopperHash(), now);
    await this.rows.insert('users', users);
    await this.rows.insert('user_addresses', rowsOf.addressRows(accounts, now));
    const carts = await this.rows.insertKeyed('carts', rowsOf.cartRows(users), 'user_id');
    const products = await this.rows.insertKeyed('products', rowsOf.productRows(pictures, now), 'name');
    await this.rows.insert('product_images', rowsOf.productImageRows(products, pictures));
    const departments = await this.rows.insertKeyed('categories', rowsOf.departmentRows(pictures), 'slug');
    const shelves = await this.rows.insertKeyed('categories', rowsOf.shelfRows(departments, pictures), 'slug');
    await this.rows.insert('product_categories', rowsOf.productCategoryRows(products, shelves));
    await this.rows.insert('cart_items', rowsOf.cartItemRows(accounts, carts, products));
    const couponIds = await this.rows.insertKeyed('coupons', rowsOf.couponRows(orders, names, now), 'code');
    const placed = await this.rows.insertKeyed(
      'orders',
      rowsOf.orderRows(orders, accounts, couponIds, names),
      'created_at',
    );
    await this.rows.insert('order_items', rowsOf.orderItemRows(orders, placed, products, pictures));
    await this.rows.insert('order_notes', rowsOf.orderNoteRows(orders, placed));
    await this.orders.settleOrders([...placed.values()]);
    await this.rows.insert('reviews', rowsOf.reviewRows(demoReviews(orders, now), accounts, products, pictures, now));
    await this.rows.insert('testimonials', rowsOf.testimonialRows(accounts, pictures, now));
    await this.webhook.load(now, products);
    return new Map([...accounts].map(([username, { id }]) => [username, id]));
  }

  private takenNames(): Promise<string[]> {
    const usernames = people.map(({ username }) => username);
    const codes = coupons.map(({ code }) => code);
    return this.demo.takenNames(usernames, usernames.map(emailOf), codes);
  }

  private shopperHash(): Promise<string> {
    return this.passwords.hash(demoShopper.password, { queue: 'registration' });
  }
}

import { randomBytes, randomUUID } from 'node:crypto';
import { coupons } from './coupons.js';
import { demoOrders } from './orders.js';
import { demoShopper, people } from './people.js';
import { savePictures, type SavePicture } from './picture-store.js';
import { demoProducts } from './products.js';
import { demoReviews } from './reviews.js';
import {
  type Account,
  cartRows,
  couponRows,
  of,
  orderItemRows,
  orderRows,
  productRows,
  reviewRows,
  testimonialRows,
  userRows,
} from './rows.js';
import * as statements from './statements.js';

/** Runs one statement with bound parameters and returns its rows. */
export type Sql = (statement: string, parameters: unknown[]) => Promise<Record<string, unknown>[]>;

/** What was loaded, for the log. */
export interface DemoSummary {
  users: number;
  products: number;
  orders: number;
  reviews: number;
  shopper: { username: string; password: string };
  /** By the names that the demo has for them. */
  userIds: ReadonlyMap<string, string>;
}

/**
 * Writes the demo's shop: products with pictures, users, orders, coupons, reviews and testimonials.
 * `sql` must run inside one transaction of the caller, who also sees to it that this happens once.
 */
export async function loadDemoData(sql: Sql, savePicture: SavePicture, now: Date): Promise<DemoSummary> {
  const pictures = await savePictures(savePicture);
  const renamed = await takenNames(sql);
  const accounts = accountsOf(renamed);
  const orders = demoOrders(now);
  const reviews = demoReviews(orders, now);
  const write = (statement: string, values: unknown[]) => sql(statement, [JSON.stringify(values)]);

  const users = await userRows(accounts, pictures, now);
  await write(statements.insertUsers, users);
  await write(statements.insertCarts, users);
  const productIds = idsByName(await write(statements.insertProducts, productRows(pictures, now)));
  await write(statements.insertCartItems, cartRows(accounts, productIds));
  await write(statements.insertCoupons, couponRows(orders, renamed, now));
  await write(statements.insertOrders, orderRows(orders, accounts, renamed));
  await write(statements.insertOrderItems, orderItemRows(orders, accounts, productIds));
  await write(statements.insertReviews, reviewRows(reviews, accounts, productIds));
  await write(statements.insertTestimonials, testimonialRows(accounts, pictures, now));

  return {
    users: users.length,
    products: demoProducts.length,
    orders: orders.length,
    reviews: reviews.length,
    shopper: { username: of(accounts, demoShopper.username).username, password: demoShopper.password },
    userIds: new Map([...accounts].map(([username, { id }]) => [username, id])),
  };
}

/** The demo's names that the database already uses, each with the free one to take in its place. */
async function takenNames(sql: Sql): Promise<Map<string, string>> {
  const taken = await sql(statements.selectTakenNames, [
    people.map(({ username }) => username),
    people.map(({ username }) => emailOf(username)),
    coupons.map(({ code }) => code),
  ]);
  const suffix = randomBytes(3).toString('hex');
  return new Map(taken.map(({ name }) => [String(name), freeName(String(name), suffix)]));
}

function freeName(name: string, suffix: string): string {
  if (name.includes('@')) return name.replace('@', `-${suffix}@`);
  return name === name.toUpperCase() ? `${name}-${suffix.toUpperCase()}` : `${name}-${suffix}`;
}

function emailOf(username: string): string {
  return `${username}@example.com`;
}

function accountsOf(renamed: ReadonlyMap<string, string>): Map<string, Account> {
  return new Map(
    people.map(({ username }) => {
      const email = emailOf(username);
      return [
        username,
        { id: randomUUID(), username: renamed.get(username) ?? username, email: renamed.get(email) ?? email },
      ];
    }),
  );
}

function idsByName(rows: Record<string, unknown>[]): Map<string, number> {
  return new Map(rows.map(({ id, name }) => [String(name), Number(id)]));
}

import {
  coupons,
  daysAfter,
  daysBefore,
  type DemoProduct,
  demoProducts,
  demoShopper,
  departments,
  named,
  people,
  productDates,
  testimonials,
} from '@store-service/demo';
import { type OrderStatus, reachedWith } from '../../store/orders/order-status.js';
import { demoId } from '../demo-ids.js';
import type { Account, Renamed } from './accounts.js';
import { couponUses, type DemoOrder } from './orders.js';
import type { DemoReview } from './reviews.js';
import type { PictureUrls } from './save-pictures.js';

const toAmount = (cents: number): number => cents / 100;

type Accounts = ReadonlyMap<string, Account>;
type Ids = ReadonlyMap<string, number>;

/** What is no hash at all is no password's: a login fails after the same time as with a wrong password. */
const unusableHash = '!';

/** Users, oldest first. Only the shopper can sign in. */
export function userRows(accounts: Accounts, pictures: PictureUrls, shopperHash: string, now: Date) {
  return people
    .map((person) => ({
      ...named(accounts, person.username),
      password_hash: person.username === demoShopper.username ? shopperHash : unusableHash,
      first_name: person.firstName,
      last_name: person.lastName,
      avatar_url: pictures.avatars.get(person.username),
      bio: person.bio,
      account_credit: toAmount(person.accountCreditCents),
      referral_count: referralCount(person.username),
      created_at: daysBefore(now, person.joinedDaysAgo),
    }))
    .sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
}

/** How many of the others named this person when they signed up. */
export function referralCount(username: string): number {
  return people.filter(({ referredBy }) => referredBy === username).length;
}

/** The address of each person, which is their default. */
export function addressRows(accounts: Accounts, now: Date) {
  return people.map(
    ({ username, firstName, lastName, address: { street, city, zip, country, phone }, joinedDaysAgo }) => ({
      id: demoId(`address ${username}`),
      user_id: named(accounts, username).id,
      first_name: firstName,
      last_name: lastName,
      address: street,
      city,
      zip_code: zip,
      country,
      phone,
      is_default: true,
      created_at: daysBefore(now, joinedDaysAgo),
    }),
  );
}

export function cartRows(users: ReturnType<typeof userRows>) {
  return users.map(({ id, created_at }) => ({ user_id: id, created_at, updated_at: created_at }));
}

export function productRows({ pictures }: PictureUrls, now: Date) {
  const dates = productDates(now);
  const groups = new Map(demoProducts.map(({ group }) => [group, demoId(`group ${group}`)]));
  return demoProducts.map((product) => {
    const { name, description, sku, priceCents, stock, color, material, size } = product;
    return {
      name,
      description,
      sku,
      group_id: named(groups, product.group),
      price: toAmount(priceCents),
      stock,
      color,
      material,
      size,
      image_url: named(pictures, firstPicture(product)),
      created_at: dates.get(name),
    };
  });
}

function firstPicture({ name, pictures: [first] }: DemoProduct): string {
  if (!first) throw new Error(`The demo's product "${name}" has no picture`);
  return first.name;
}

/** The gallery of each product; what is at position 0 is the alternative text of the product's own picture. */
export function productImageRows(productIds: Ids, { pictures }: PictureUrls) {
  return demoProducts.flatMap((product) =>
    product.pictures.map(({ name, alt }, position) => ({
      product_id: named(productIds, product.name),
      position,
      url: named(pictures, name),
      alt,
    })),
  );
}

/** The departments of the shop. */
export function departmentRows({ pictures }: PictureUrls) {
  return departments.map(({ slug, name, description, picture }, position) => ({
    slug,
    name,
    description,
    image_url: named(pictures, picture),
    position,
  }));
}

/** The shelves of each department. */
export function shelfRows(departmentIds: Ids, { pictures }: PictureUrls) {
  return departments.flatMap((department) =>
    department.shelves.map(({ slug, name, description, picture }, position) => ({
      slug,
      name,
      description,
      image_url: named(pictures, picture),
      parent_id: named(departmentIds, department.slug),
      position,
    })),
  );
}

export function productCategoryRows(productIds: Ids, shelfIds: Ids) {
  return demoProducts.map(({ name, category }) => ({
    product_id: named(productIds, name),
    category_id: named(shelfIds, category),
  }));
}

export function cartItemRows(accounts: Accounts, cartIds: Ids, productIds: Ids) {
  return people.flatMap(({ username, cart }) =>
    Object.entries(cart).map(([product, quantity]) => ({
      cart_id: named(cartIds, named(accounts, username).id),
      product_id: named(productIds, product),
      quantity,
    })),
  );
}

export function couponRows(orders: readonly DemoOrder[], names: Renamed, now: Date) {
  const uses = couponUses(orders);
  return coupons.map((coupon) => ({
    code: names.get(coupon.code) ?? coupon.code,
    discount_percent: coupon.discountPercent,
    max_uses: coupon.maxUses,
    current_uses: uses.get(coupon.code) ?? 0,
    expires_at: coupon.expiresInDays === null ? null : daysAfter(now, coupon.expiresInDays),
    is_active: coupon.isActive,
    is_public: coupon.isPublic,
    created_at: daysBefore(now, coupon.createdDaysAgo),
  }));
}

export function orderRows(orders: readonly DemoOrder[], accounts: Accounts, couponIds: Ids, names: Renamed) {
  return orders.map((order) => {
    const code = order.couponCode && (names.get(order.couponCode) ?? order.couponCode);
    return {
      user_id: named(accounts, order.buyer.username).id,
      status: order.status,
      reached: reachedWith({ status: order.status, reached: 'pending' }),
      total_price: 0, // until the lines are there
      coupon_id: code && named(couponIds, code),
      coupon_code: code,
      created_at: order.createdAt,
      ...shippingColumns(order),
      ...trackingColumns(order),
    };
  });
}

const trackedStatuses = new Set<OrderStatus>(['shipped', 'delivered', 'completed']);

/** All orders that left the shop have a number, made from their time. */
function trackingColumns({ status, shipping, createdAt }: DemoOrder) {
  const number = shipping && trackedStatuses.has(status) ? `00${createdAt.getTime()}00` : undefined;
  return {
    carrier: number && 'Harbour Parcel',
    tracking_number: number,
    tracking_url: number && `https://parcel.example.com/track?id=${number}`,
  };
}

const notes: Partial<Record<OrderStatus, string>> = {
  processing: 'Packed; waits for the courier at four.',
  shipped: 'Asked for the parcel to be left with the neighbor.',
  refunded: 'Came back unopened.',
};

/** A note about the newest order of some statuses, by the key of the warehouse. */
export function orderNoteRows(orders: readonly DemoOrder[], orderIds: Ids) {
  return Object.entries(notes).flatMap(([status, text]) => {
    const order = orders.findLast((one) => one.status === status);
    if (!order) return [];
    const at = daysAfter(order.createdAt, 0.02);
    const order_id = named(orderIds, order.createdAt.toISOString());
    return [{ id: demoId(`note ${status}`), order_id, key_name: 'Warehouse', text, created_at: at }];
  });
}

/** All of them without a value where nothing is shipped. */
function shippingColumns({ buyer, shipping }: DemoOrder) {
  const address = shipping ? buyer.address : undefined;
  return {
    shipping_first_name: shipping && buyer.firstName,
    shipping_last_name: shipping && buyer.lastName,
    shipping_address: address?.street,
    shipping_city: address?.city,
    shipping_zip: address?.zip,
    shipping_country: address?.country,
    shipping_phone: address?.phone,
    shipping_method: shipping?.method,
    shipping_cost: shipping && toAmount(shipping.costCents),
    estimated_delivery: shipping?.estimatedDelivery,
  };
}

export function orderItemRows(orders: readonly DemoOrder[], orderIds: Ids, productIds: Ids, { pictures }: PictureUrls) {
  const shown = new Map(demoProducts.map((product) => [product.name, named(pictures, firstPicture(product))]));
  return orders.flatMap(({ createdAt, lines }) =>
    lines.map(({ product, quantity, priceCents }) => ({
      order_id: named(orderIds, createdAt.toISOString()),
      product_id: named(productIds, product),
      quantity,
      price: toAmount(priceCents),
      product_name: product,
      product_image_url: shown.get(product),
    })),
  );
}

export function reviewRows(
  reviews: readonly DemoReview[],
  accounts: Accounts,
  productIds: Ids,
  { pictures }: PictureUrls,
  now: Date,
) {
  return reviews.map(({ product, username, rating, title, content, photo, answer, createdAt }) => ({
    product_id: named(productIds, product),
    user_id: named(accounts, username).id,
    rating,
    title,
    content,
    image_url: photo && named(pictures, photo),
    created_at: createdAt,
    answer,
    answered_at: answer === undefined ? undefined : answerDate(createdAt, now),
  }));
}

export function testimonialRows(accounts: Accounts, pictures: PictureUrls, now: Date) {
  return testimonials.map(({ author, content, rating, isFeatured, daysAgo, answer }) => {
    const createdAt = daysBefore(now, daysAgo);
    const guest = 'guest' in author ? author.guest : null;
    return {
      user_id: 'username' in author ? named(accounts, author.username).id : null,
      guest_name: guest?.name,
      guest_role: guest?.role,
      guest_avatar_url: guest && pictures.avatars.get(guest.name),
      content,
      rating,
      is_featured: isFeatured,
      created_at: createdAt,
      answer,
      answered_at: answer === undefined ? undefined : answerDate(createdAt, now),
    };
  });
}

/** The shop answers on the next day, or has just done so. */
function answerDate(createdAt: Date, now: Date): Date {
  const wanted = daysAfter(createdAt, 0.8);
  return wanted < now ? wanted : now;
}

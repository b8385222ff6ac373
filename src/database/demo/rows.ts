import { hash } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { coupons } from './coupons.js';
import { couponUses, type DemoOrder } from './orders.js';
import { demoShopper, people, referralCount } from './people.js';
import type { PictureUrls } from './picture-store.js';
import { demoProducts, productDates } from './products.js';
import type { DemoReview } from './reviews.js';
import { testimonials } from './testimonials.js';
import { daysAfter, daysBefore } from './time.js';

/** A user as he is written: the name and the e-mail address may differ from the demo's where those were taken. */
export interface Account {
  id: string;
  username: string;
  email: string;
}

type Accounts = ReadonlyMap<string, Account>;
type Ids = ReadonlyMap<string, number>;

/** 19 MiB, two passes, one lane: what the service hashes every password with. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function userRows(accounts: Accounts, pictures: PictureUrls, now: Date) {
  const shopperHash = await hash(demoShopper.password, argon2id);
  return people
    .map((person) => ({
      ...of(accounts, person.username),
      password_hash: person.username === demoShopper.username ? shopperHash : unusableHash(),
      first_name: person.firstName,
      last_name: person.lastName,
      avatar_url: pictures.avatars.get(person.username),
      bio: person.bio,
      account_credit_cents: person.accountCreditCents,
      referral_count: referralCount(person.username),
      created_at: daysBefore(now, person.joinedDaysAgo),
    }))
    .sort(oldestFirst);
}

/** A hash in Argon2id's form that no known password leads to: it takes a login as long as any other to fail. */
function unusableHash(): string {
  const [salt, digest] = [randomBytes(16), randomBytes(32)].map((bytes) =>
    bytes.toString('base64').replace(/={1,2}$/, ''),
  );
  return `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${digest}`;
}

export function productRows(pictures: PictureUrls, now: Date) {
  const dates = productDates(now);
  return demoProducts.map((product, place) => ({
    place,
    name: product.name,
    description: product.description,
    price_cents: product.priceCents,
    stock: product.stock,
    color: product.color,
    material: product.material,
    size: product.size,
    image_url: pictures.products.get(product.name),
    created_at: dates.get(product.name),
  }));
}

export function cartRows(accounts: Accounts, productIds: Ids) {
  return people.flatMap(({ username, cart }) =>
    Object.entries(cart).map(([product, quantity]) => ({
      user_id: of(accounts, username).id,
      product_id: of(productIds, product),
      quantity,
    })),
  );
}

export function couponRows(orders: readonly DemoOrder[], renamed: ReadonlyMap<string, string>, now: Date) {
  const uses = couponUses(orders);
  return coupons.map((coupon) => ({
    code: renamed.get(coupon.code) ?? coupon.code,
    discount_percent: coupon.discountPercent,
    max_uses: coupon.maxUses,
    current_uses: uses.get(coupon.code) ?? 0,
    expires_at: coupon.expiresInDays === null ? null : daysAfter(now, coupon.expiresInDays),
    is_active: coupon.isActive,
    is_public: coupon.isPublic,
    created_at: daysBefore(now, coupon.createdDaysAgo),
  }));
}

export function orderRows(orders: readonly DemoOrder[], accounts: Accounts, renamed: ReadonlyMap<string, string>) {
  return orders.map((order) => ({
    user_id: of(accounts, order.buyer.username).id,
    status: order.status,
    total_cents: order.totalCents,
    discount_cents: order.discountCents,
    coupon_code: order.couponCode && (renamed.get(order.couponCode) ?? order.couponCode),
    created_at: order.createdAt,
    ...shippingColumns(order),
  }));
}

function shippingColumns({ buyer, shipping }: DemoOrder) {
  if (!shipping) return {};
  return {
    shipping_first_name: buyer.firstName,
    shipping_last_name: buyer.lastName,
    shipping_address: buyer.address.street,
    shipping_city: buyer.address.city,
    shipping_zip: buyer.address.zip,
    shipping_country: buyer.address.country,
    shipping_phone: buyer.address.phone,
    shipping_method: shipping.method,
    shipping_cost_cents: shipping.costCents,
    estimated_delivery: shipping.estimatedDelivery,
  };
}

export function orderItemRows(orders: readonly DemoOrder[], accounts: Accounts, productIds: Ids) {
  return orders.flatMap((order) =>
    order.lines.map((line) => ({
      user_id: of(accounts, order.buyer.username).id,
      ordered_at: order.createdAt,
      product_id: of(productIds, line.product),
      quantity: line.quantity,
      price_cents: line.priceCents,
    })),
  );
}

export function reviewRows(reviews: readonly DemoReview[], accounts: Accounts, productIds: Ids) {
  return reviews.map((review) => ({
    product_id: of(productIds, review.product),
    user_id: of(accounts, review.username).id,
    rating: review.rating,
    title: review.title,
    content: review.content,
    created_at: review.createdAt,
  }));
}

export function testimonialRows(accounts: Accounts, pictures: PictureUrls, now: Date) {
  return testimonials.map(({ author, content, rating, isFeatured, daysAgo }) => {
    const guest = 'guest' in author ? author.guest : null;
    return {
      user_id: 'username' in author ? of(accounts, author.username).id : null,
      guest_name: guest?.name,
      guest_role: guest?.role,
      guest_avatar_url: guest && pictures.avatars.get(guest.name),
      content,
      rating,
      is_featured: isFeatured,
      created_at: daysBefore(now, daysAgo),
    };
  });
}

function oldestFirst(one: { created_at: Date }, other: { created_at: Date }): number {
  return one.created_at.getTime() - other.created_at.getTime();
}

/** The thing of this name; the demo data is wrong where there is none. */
export function of<T>(things: ReadonlyMap<string, T>, name: string): T {
  const thing = things.get(name);
  if (thing === undefined) throw new Error(`The demo data speaks of "${name}", which it does not have`);
  return thing;
}

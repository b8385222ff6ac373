import {
  between,
  coupons,
  daysAfter,
  daysBefore,
  type DemoCoupon,
  type DemoPerson,
  type DemoProduct,
  demoProducts,
  demoShopper,
  oneOf,
  people,
  pick,
  productDates,
  type Random,
  seededRandom,
  type Weighted,
} from '@store-service/demo';
import { type OrderStatus, orderStatuses } from '../../store/orders/order-status.js';

export interface DemoOrderLine {
  product: string;
  quantity: number;
  priceCents: number;
}

/** How an order is shipped. */
export interface DemoShipping {
  method: string;
  costCents: number;
  estimatedDelivery: Date;
}

/** One order of the demo. No two were made at the same moment. */
export interface DemoOrder {
  buyer: DemoPerson;
  status: OrderStatus;
  lines: DemoOrderLine[];
  couponCode: string | null;
  shipping: DemoShipping | null;
  createdAt: Date;
}

const orderCount = 240;
const oldestDays = 182;
const couponShare = 0.32;
const withoutShippingShare = 0.07;
const otherVariantShare = 0.4;

const shippingMethods: Weighted<{ method: string; costCents: number; days: number }>[] = [
  { value: { method: 'standard', costCents: 599, days: 5 }, weight: 7 },
  { value: { method: 'express', costCents: 1299, days: 2 }, weight: 2 },
  { value: { method: 'economy', costCents: 399, days: 7 }, weight: 1 },
];

/** The statuses of orders by their age. */
const progress: { untilDays: number; statuses: Weighted<OrderStatus>[] }[] = [
  { untilDays: 2, statuses: weights({ pending: 6, paid: 3, cancelled: 1 }) },
  { untilDays: 5, statuses: weights({ pending: 1, paid: 4, processing: 5 }) },
  { untilDays: 9, statuses: weights({ processing: 3, shipped: 6, cancelled: 1 }) },
  { untilDays: 17, statuses: weights({ shipped: 2, delivered: 7, refunded: 1 }) },
  { untilDays: 32, statuses: weights({ delivered: 4, completed: 5, refunded: 1, cancelled: 1 }) },
  { untilDays: Infinity, statuses: weights({ completed: 40, refunded: 2, cancelled: 3 }) },
];

/** Makes the orders of the last half year, oldest first. The same `now` and `seed` give the same orders. */
export function demoOrders(now: Date, seed = 1): DemoOrder[] {
  const random = seededRandom(seed);
  const dates = productDates(now);
  const popularity = demoProducts.map((value) => ({
    value,
    weight: (0.6 + 2 * random() ** 2) * (value.name === value.group ? 1 : otherVariantShare),
  }));
  const uses = new Map<string, number>();
  return orderAges(random).map((age, index) => {
    // The last order is the shopper's own, and still to be paid.
    const isLast = index === orderCount - 1;
    const createdAt = daysBefore(now, age);
    const onSale = popularity.filter(({ value }) => isBefore(dates.get(value.name), createdAt));
    const drawn = statusAt(random, age);
    const status = isLast ? 'pending' : drawn;
    const lines = orderLines(random, onSale);
    const coupon = random() < couponShare ? usableCoupon(random, age, uses) : null;
    if (coupon && status !== 'cancelled') uses.set(coupon.code, (uses.get(coupon.code) ?? 0) + 1);
    const shipping = orderShipping(random, createdAt);
    const buyer = buyerAt(random, age);
    const shopper = people.find(({ username }) => username === demoShopper.username);
    return {
      buyer: (isLast ? shopper : undefined) ?? buyer,
      status,
      lines,
      couponCode: coupon?.code ?? null,
      shipping,
      createdAt,
    };
  });
}

/** How often each coupon is used. A cancelled order gives its use back. */
export function couponUses(orders: readonly DemoOrder[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { couponCode, status } of orders) {
    if (couponCode && status !== 'cancelled') uses.set(couponCode, (uses.get(couponCode) ?? 0) + 1);
  }
  return uses;
}

/** The age in days of each order: one in each slice of time. Slices get shorter toward now, for business grows. */
function orderAges(random: Random): number[] {
  const slices = Array.from({ length: orderCount }, (_, index) => orderCount - 1 - index);
  return slices.map((slice) => oldestDays * ((slice + 0.05 + 0.9 * random()) / orderCount) ** 1.3);
}

function statusAt(random: Random, age: number): OrderStatus {
  return pick(random, progress.find(({ untilDays }) => age < untilDays)?.statuses ?? []);
}

function buyerAt(random: Random, age: number): DemoPerson {
  const members = people.filter((person) => person.joinedDaysAgo > age);
  return pick(
    random,
    members.map((value) => ({ value, weight: value.activity })),
  );
}

function orderLines(random: Random, onSale: readonly Weighted<DemoProduct>[]): DemoOrderLine[] {
  const wanted = pick(random, [
    { value: 1, weight: 5 },
    { value: 2, weight: 4 },
    { value: 3, weight: 2 },
    { value: 4, weight: 1 },
  ]);
  const chosen = new Set(Array.from({ length: wanted }, () => pick(random, onSale)));
  return [...chosen].map(({ name, priceCents }) => ({
    product: name,
    quantity: quantityOf(random, priceCents),
    priceCents,
  }));
}

function quantityOf(random: Random, priceCents: number): number {
  if (random() < 0.7) return 1;
  return priceCents < 2500 ? between(random, 2, 6) : between(random, 1, 2);
}

function usableCoupon(random: Random, age: number, uses: ReadonlyMap<string, number>): DemoCoupon | null {
  const usable = coupons.filter(
    (coupon) =>
      coupon.isActive &&
      coupon.createdDaysAgo > age &&
      (coupon.expiresInDays === null || coupon.expiresInDays > -age) &&
      (uses.get(coupon.code) ?? 0) < coupon.maxUses,
  );
  return usable.length === 0 ? null : oneOf(random, usable);
}

function orderShipping(random: Random, createdAt: Date): DemoShipping | null {
  if (random() < withoutShippingShare) return null;
  const { method, costCents, days } = pick(random, shippingMethods);
  return { method, costCents, estimatedDelivery: daysAfter(createdAt, days) };
}

function isBefore(moment: Date | undefined, other: Date): boolean {
  return moment !== undefined && moment < other;
}

function weights(statuses: Partial<Record<OrderStatus, number>>): Weighted<OrderStatus>[] {
  return orderStatuses.flatMap((value) => ({ value, weight: statuses[value] ?? 0 }));
}

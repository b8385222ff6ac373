import { isDone, isUncertain, match, type Call } from './calls.js';
import { discountCents } from './money.js';
import { placedBetween, readSkipping, turnsOf, type Facts, type SeenOrder, type Tell } from './facts.js';
import { centsOf, money, numberOf, textOf, type Fields } from './values.js';

interface Version {
  from: number;
  to: number;
  fields: Fields | undefined;
}

/** What is known of a coupon: each state that an answer to an admin shows, and requests that may have changed it. */
interface SeenCoupon {
  id: number;
  versions: Version[];
  /** The entries of changes, answered or not. */
  changes: Call[];
}

/** Coupons: never used more often than they may be, ended by the clock, and taken off as they say. */
export async function judgeCoupons(facts: Facts, tell: Tell): Promise<void> {
  const coupons = seenCoupons(facts);
  const atEnd = await readSkipping(facts.end, '/api/v1/admin/coupons');
  for (const call of facts.calls) for (const fields of couponsIn(call)) judgeUses(fields, call.n, tell);
  for (const fields of atEnd ?? []) {
    judgeUses(fields, undefined, tell);
    // A code that was given twice has the orders of both.
    const same = [...coupons.values()].filter((coupon) => hasCode(coupon, String(fields.code)));
    if (same.length === 1) judgeCount(facts, same[0], fields, tell);
  }
  for (const order of facts.orders.values()) judgeOrder(facts, order, [...coupons.values()], tell);
  for (const call of facts.calls) judgeValidation(call, [...coupons.values()], tell);
}

function judgeUses({ code, current_uses, max_uses }: Fields, entry: number | undefined, tell: Tell): void {
  if (Number(current_uses) > Number(max_uses)) {
    tell(
      'coupons/limit',
      entry,
      `Coupon ${String(code)} may be used ${String(max_uses)} times, and was ${String(current_uses)} times`,
    );
  }
  if (Number(current_uses) < 0) tell('coupons/limit', entry, `Coupon ${String(code)} has ${String(current_uses)} uses`);
}

function couponsIn(call: Call): Fields[] {
  if (!isDone(call)) return [];
  if (!/^\/(admin\/coupons(\/\d+)?|orders\/coupons)$/.test(call.path)) return [];
  const found = Array.isArray(call.raw) ? (call.raw as Fields[]) : [call.answer];
  return found.filter((one) => textOf(one.code) !== undefined && numberOf(one.max_uses) !== undefined);
}

function seenCoupons(facts: Facts): Map<number, SeenCoupon> {
  const coupons = new Map<number, SeenCoupon>();
  const seen = (id: number) => {
    let coupon = coupons.get(id);
    if (!coupon) coupons.set(id, (coupon = { id, versions: [], changes: [] }));
    return coupon;
  };
  for (const call of facts.calls) {
    for (const fields of couponsIn(call))
      seen(Number(fields.id)).versions.push({ from: call.from, to: call.n, fields });
    const [changed] = match(call, 'PUT', '/admin/coupons/*') ?? match(call, 'DELETE', '/admin/coupons/*') ?? [];
    if (changed === undefined || !(isDone(call) || isUncertain(call))) continue;
    const coupon = seen(Number(changed));
    coupon.changes.push(call);
    if (call.method === 'DELETE') coupon.versions.push({ from: call.from, to: call.n, fields: undefined });
  }
  return coupons;
}

/**
 * The coupon as it was between two moments, if it was the same all the time: as it was last seen before, with no
 * change since. Undefined where that is not known.
 */
function heldThrough(coupon: SeenCoupon, from: number, to: number): Version | undefined {
  const last = coupon.versions.findLast((version) => version.to < from);
  if (!last) return undefined;
  const changed = coupon.changes.some((call) => call.n > last.from && call.from < to && call.n !== last.to);
  return changed ? undefined : last;
}

function hasCode(coupon: SeenCoupon, code: string): boolean {
  return coupon.versions.some(({ fields }) => String(fields?.code).toUpperCase() === code.trim().toUpperCase());
}

function judgeOrder(facts: Facts, order: SeenOrder, coupons: readonly SeenCoupon[], tell: Tell): void {
  const shown = order.sightings.find(({ fields }) => textOf(fields.coupon_code) !== undefined);
  const first = order.sightings[0];
  const sent = textOf(order.placedBy?.body.coupon_code);
  if (
    order.placedBy &&
    sent &&
    textOf(order.placedBy.answer.coupon_code)?.toUpperCase() !== sent.trim().toUpperCase()
  ) {
    tell(
      'coupons/taken',
      order.placedBy.n,
      `Order ${order.id} was sent with coupon ${sent}, and has ${String(order.placedBy.answer.coupon_code)}`,
    );
  }
  if (order.placedBy && !sent && centsOf(order.placedBy.answer.discount) !== 0) {
    tell(
      'coupons/discount',
      order.placedBy.n,
      `Order ${order.id} has no coupon, and a discount of ${money(centsOf(order.placedBy.answer.discount))}`,
    );
  }
  if (!shown || !first) return;
  const code = String(shown.fields.coupon_code);
  const placed = placedBetween(facts, order);
  const created = Date.parse(String(first.fields.created_at));
  // A code may belong to another coupon once the first was deleted or renamed.
  const known = coupons.filter((coupon) => hasCode(coupon, code));
  if (!placed || known.length !== 1) return;
  const held = heldThrough(known[0]!, placed.from, placed.to);
  if (!held) return;
  const entry = order.placedBy?.n ?? shown.entry;
  if (!held.fields) {
    tell('coupons/usable', entry, `Order ${order.id} used coupon ${code}, which had been deleted`);
    return;
  }
  const { expires_at, is_active, discount_percent } = held.fields;
  if (is_active === false) tell('coupons/usable', entry, `Order ${order.id} used coupon ${code}, which was not active`);
  if (typeof expires_at === 'string' && Date.parse(expires_at) < created) {
    tell(
      'coupons/usable',
      entry,
      `Order ${order.id} of ${String(first.fields.created_at)} used coupon ${code}, which ended at ${expires_at}`,
    );
  }
  const expected = discountCents(centsOf(first.fields.subtotal), Number(discount_percent));
  if (centsOf(first.fields.discount) !== expected) {
    tell(
      'coupons/discount',
      entry,
      `${String(discount_percent)} % off ${money(centsOf(first.fields.subtotal))} is ${money(expected)}, and order ${order.id} has ${money(centsOf(first.fields.discount))}`,
    );
  }
}

/** At the end a coupon has as many uses as orders that used it and did not give it back. */
function judgeCount(facts: Facts, coupon: SeenCoupon | undefined, atEnd: Fields, tell: Tell): void {
  const creation = facts.calls.find((call) => match(call, 'POST', '/admin/coupons') && call.answer.id === atEnd.id);
  if (!coupon || !creation || !facts.ordersAtEnd) return;
  // Under another code, its orders would be counted to another coupon.
  const codes = new Set(coupon.versions.map(({ fields }) => String(fields?.code).toUpperCase()));
  if (codes.size > 1) return;
  const users = facts.ordersAtEnd.filter(
    ({ coupon_code }) => String(coupon_code).toUpperCase() === String(atEnd.code).toUpperCase(),
  );
  let least = 0;
  let most = 0;
  for (const { id, status } of users) {
    const order = facts.orders.get(Number(id));
    const wasShipped = order && turnsOf(order).some((turn) => /shipped|delivered|completed/.test(turn.before));
    if (status === 'cancelled') continue;
    most++;
    if (status !== 'refunded' || wasShipped) least++;
  }
  const uses = Number(atEnd.current_uses);
  if (uses < least || uses > most) {
    const expected = least === most ? `${least}` : `${least} to ${most}`;
    tell(
      'coupons/uses',
      undefined,
      `Coupon ${String(atEnd.code)} should have ${expected} uses by its orders, and has ${uses}`,
    );
  }
}

/** What the check of a code says of one that ended, or is not active. */
function judgeValidation(call: Call, coupons: readonly SeenCoupon[], tell: Tell): void {
  if (!match(call, 'GET', '/orders/coupons/validate') || !isDone(call)) return;
  const code = call.query.get('code') ?? '';
  const known = coupons.filter((coupon) => hasCode(coupon, code));
  const held = known.length === 1 ? heldThrough(known[0]!, call.from, call.n) : undefined;
  if (!held?.fields) return;
  const { expires_at, is_active } = held.fields;
  const ended = typeof expires_at === 'string' && Date.parse(expires_at) < call.sentAt;
  if (call.answer.is_valid === true && (ended || is_active === false)) {
    tell(
      'coupons/validate',
      call.n,
      `Coupon ${code} ${ended ? `ended at ${expires_at}` : 'is not active'}, and is said to be valid`,
    );
  }
}

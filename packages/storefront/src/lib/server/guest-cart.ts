import type { Cookies } from '@sveltejs/kit';

/** A product and how many: prices and names are asked for at each look. */
export interface LocalLine {
  product_id: number;
  quantity: number;
}

const lines = 'shop_cart';
const count = 'shop_cart_count';
const seen = 'shop_cart_seen';
const keptSeconds = 60 * 60 * 24 * 180;
const kept = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: keptSeconds } as const;

/** What one cookie holds safely. */
export const mostLines = 50;
export const mostPieces = 999;

const isLine = ({ product_id, quantity }: LocalLine): boolean =>
  Number.isSafeInteger(product_id) &&
  product_id > 0 &&
  Number.isInteger(quantity) &&
  quantity > 0 &&
  quantity <= mostPieces;

/** The cart of somebody who is not signed in, in a cookie of theirs. Whatever else stands in it is left out. */
export function readGuestCart(cookies: Cookies): LocalLine[] {
  const parsed = (cookies.get(lines) ?? '').split('_').map((part): LocalLine => {
    const [product, quantity] = part.split('.');
    return { product_id: Number(product), quantity: Number(quantity) };
  });
  const known = new Set<number>();
  const isNew = ({ product_id }: LocalLine) => !known.has(product_id) && known.add(product_id);
  return parsed.filter((line) => isLine(line) && isNew(line)).slice(0, mostLines);
}

export function keepGuestCart(cookies: Cookies, given: readonly LocalLine[]): void {
  const text = given
    .filter(isLine)
    .slice(0, mostLines)
    .map(({ product_id, quantity }) => `${product_id}.${quantity}`)
    .join('_');
  if (text === '') forgetGuestCart(cookies);
  else cookies.set(lines, text, kept);
}

export function forgetGuestCart(cookies: Cookies): void {
  if (cookies.get(lines) !== undefined) cookies.delete(lines, { path: '/' });
}

/** The products that a cart of an account had when it was last seen here. */
export function seenProducts(cookies: Cookies): number[] {
  const ids = (cookies.get(seen) ?? '').split('.').map(Number);
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, mostLines);
}

export function keepSeenProducts(cookies: Cookies, ids: readonly number[]): void {
  const text = [...new Set(ids)].slice(-mostLines).join('.');
  if (text === (cookies.get(seen) ?? '')) return;
  if (text === '') cookies.delete(seen, { path: '/' });
  else cookies.set(seen, text, kept);
}

/** How many pieces the cart had when it was last seen: the header shows it on pages that do not ask for the cart. */
export function countOf(cookies: Cookies): number {
  const pieces = Number(cookies.get(count) ?? 0);
  return Number.isSafeInteger(pieces) && pieces > 0 ? pieces : 0;
}

export function keepCount(cookies: Cookies, pieces: number): void {
  if (pieces === countOf(cookies)) return;
  if (pieces > 0) cookies.set(count, String(pieces), kept);
  else cookies.delete(count, { path: '/' });
}

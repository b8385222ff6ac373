import { type Cart, type Product, StoreApiError } from '@store-service/sdk';
import type { RequestEvent } from '@sveltejs/kit';
import {
  forgetGuestCart,
  keepCount,
  keepGuestCart,
  keepSeenProducts,
  type LocalLine,
  mostLines,
  mostPieces,
  readGuestCart,
  seenProducts,
} from './guest-cart.ts';

type Here = Pick<RequestEvent, 'locals' | 'cookies'>;

/** A line of a cart as a page shows it: with what the service says of its product now. */
export interface CartLine {
  product_id: number;
  /** Of the line in the cart of somebody who is signed in. */
  item_id: number | null;
  name: string;
  slug: string | null;
  image_url: string | null;
  /** Color, size and the like. */
  details: string;
  price: number;
  quantity: number;
  stock: number;
  total: number;
  /** Why it cannot be bought as it is. */
  problem: 'soldOut' | 'few' | null;
}

export interface CartView {
  lines: CartLine[];
  pieces: number;
  subtotal: number;
  /** Whether products left the cart because nobody sells them any more. */
  hasLost: boolean;
}

/** Why something was not put into the cart, or not all of it. */
export type CartProblem = 'gone' | 'soldOut' | 'few' | 'tooMany' | 'full';

const inCents = (amount: number): number => Math.round(amount * 100);

function lineOf(product: Product, quantity: number, item_id: number | null): CartLine {
  const { id, name, slug, image_url, price, stock, color, size, material } = product;
  return {
    product_id: id,
    item_id,
    name,
    slug,
    image_url: image_url ?? null,
    details: [color, size, material].filter(Boolean).join(' · '),
    price,
    quantity,
    stock,
    total: (inCents(price) * quantity) / 100,
    problem: stock === 0 ? 'soldOut' : stock < quantity ? 'few' : null,
  };
}

function viewOf(lines: CartLine[], hasLost: boolean): CartView {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return { lines, pieces, subtotal: lines.reduce((sum, { total }) => sum + inCents(total), 0) / 100, hasLost };
}

const ofCart = ({ items }: Cart): CartLine[] => items.map(({ id, product, quantity }) => lineOf(product, quantity, id));

/** A product as it is now; null if nobody sells it any more. */
async function productOf({ locals: { api } }: Here, product_id: number): Promise<Product | null> {
  try {
    return (await api.products.get({ path: { product_id } })).data;
  } catch (problem) {
    if (problem instanceof StoreApiError && (problem.status === 404 || problem.status === 422)) return null;
    throw problem;
  }
}

async function guestView(here: Here): Promise<CartView> {
  const local = readGuestCart(here.cookies);
  const products = await Promise.all(local.map(({ product_id }) => productOf(here, product_id)));
  const lines = local.flatMap(({ quantity }, at) => {
    const product = products[at];
    return product ? [lineOf(product, quantity, null)] : [];
  });
  if (lines.length < local.length) keepGuestCart(here.cookies, lines);
  return viewOf(lines, lines.length < local.length);
}

/** A line that is missing was taken out on another device, or nobody sells its product any more. */
async function accountView(here: Here): Promise<CartView> {
  const lines = ofCart((await here.locals.api.cart.get()).data);
  const ids = new Set(lines.map(({ product_id }) => product_id));
  const missing = seenProducts(here.cookies).filter((id) => !ids.has(id));
  const products = await Promise.all(missing.map((id) => productOf(here, id)));
  keepSeenProducts(here.cookies, [...ids]);
  return viewOf(lines, products.includes(null));
}

/** The cart of whoever asks, and its problems. */
export async function cartOf(here: Here): Promise<CartView> {
  const { locals, cookies } = here;
  const view = locals.session.isOpen ? await accountView(here) : await guestView(here);
  keepCount(cookies, view.pieces);
  return view;
}

const problems: Record<string, CartProblem> = {
  not_found: 'gone',
  insufficient_stock: 'few',
  quantity_too_large: 'tooMany',
  cart_full: 'full',
};

/** What the service refuses about a line; anything else is thrown on. */
function problemOf(refusal: unknown): CartProblem {
  const known = refusal instanceof StoreApiError ? problems[refusal.code ?? ''] : undefined;
  if (known) return known;
  throw refusal;
}

/** Puts pieces of a product into the cart, on top of those that are there. */
export async function addToCart(here: Here, product_id: number, quantity: number): Promise<CartProblem | null> {
  const { locals, cookies } = here;
  if (locals.session.isOpen) {
    try {
      const { data } = await locals.api.cart.add({ body: { product_id, quantity } });
      keepCount(cookies, viewOf(ofCart(data), false).pieces);
      keepSeenProducts(cookies, [...seenProducts(cookies), product_id]);
      return null;
    } catch (refusal) {
      return problemOf(refusal);
    }
  }
  const product = await productOf(here, product_id);
  if (!product) return 'gone';
  const local = readGuestCart(cookies);
  const before = local.find((line) => line.product_id === product_id)?.quantity ?? 0;
  const wanted = before + quantity;
  if (product.stock === 0) return 'soldOut';
  if (wanted > product.stock) return 'few';
  if (wanted > mostPieces) return 'tooMany';
  if (before === 0 && local.length >= mostLines) return 'full';
  const others = local.filter((line) => line.product_id !== product_id);
  const line = { product_id, quantity: wanted };
  keepLocal(here, before === 0 ? [...others, line] : local.map((one) => (one.product_id === product_id ? line : one)));
  return null;
}

function keepLocal({ cookies }: Here, lines: readonly LocalLine[]): void {
  keepGuestCart(cookies, lines);
  keepCount(
    cookies,
    lines.reduce((sum, { quantity }) => sum + quantity, 0),
  );
}

/** Sets how many pieces of a product are in the cart; 0 takes it out. */
export async function setQuantity(here: Here, product_id: number, quantity: number): Promise<CartProblem | null> {
  const { locals } = here;
  if (!locals.session.isOpen) {
    const local = readGuestCart(here.cookies);
    const product = quantity > 0 ? await productOf(here, product_id) : null;
    if (quantity > 0 && !product) return 'gone';
    if (product && quantity > product.stock) return product.stock === 0 ? 'soldOut' : 'few';
    const changed = local.map((line) => (line.product_id === product_id ? { product_id, quantity } : line));
    keepLocal(
      here,
      changed.filter((line) => line.quantity > 0),
    );
    return null;
  }
  const { data: cart } = await locals.api.cart.get();
  const item = cart.items.find((one) => one.product_id === product_id);
  if (!item) return quantity === 0 ? null : 'gone';
  const path = { item_id: item.id };
  try {
    if (quantity === 0) await locals.api.cart.removeLine({ path });
    else await locals.api.cart.setQuantity({ path, body: { quantity } });
    return null;
  } catch (refusal) {
    return problemOf(refusal);
  }
}

/**
 * Takes what was put into the cart before the login into the account's, once however often it is tried: the key is made of the
 * session and of what is taken. Returns whether anything was cut.
 */
export async function mergeGuestCart(here: Here, key: string): Promise<boolean> {
  const { locals, cookies } = here;
  const lines = readGuestCart(cookies);
  if (lines.length === 0) return false;
  const { data } = await locals.api.cart.merge({ body: { lines }, headers: { 'Idempotency-Key': key } });
  forgetGuestCart(cookies);
  keepCount(cookies, viewOf(ofCart(data.cart), false).pieces);
  keepSeenProducts(cookies, [...seenProducts(cookies), ...lines.map(({ product_id }) => product_id)]);
  return data.lines.some(({ cut }) => cut !== null);
}

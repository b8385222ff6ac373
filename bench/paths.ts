import { rareWord, shopProducts } from './fill.js';

export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** The type of the body; JSON by default. */
  type?: string;
  /** The sender: the connection's own shopper, or the organization by its key. */
  from?: 'shopper' | 'organization';
  /** The shopper, if it is another one than that of the connection's number. */
  shopper?: number;
}

/** The requests that each connection repeats. */
export interface BenchPath {
  what: string;
  connections: number;
  writes?: boolean;
  /** The requests of connection `n`, from 1, sent in turn. */
  requestsOf(connection: number): BenchRequest[];
}

const urlsInTurn = 100;
const products = shopProducts;
const words = [
  'linen shirt',
  'oak lamp',
  'copper mug',
  rareWord,
  'glass kettle',
  'wool blanket',
  'steel chair',
  'notebook',
];

const listPath = (n: number) => `/api/v1/products/?skip=${n * 10}&limit=10`;
const searchPath = (n: number) =>
  `/api/v1/products/search/?q=${encodeURIComponent(words[n % words.length] ?? '')}&skip=${Math.floor(n / 8)}&limit=10`;
const productPath = (n: number) => `/api/v1/products/${1 + ((n * 97) % products)}`;
const reviewsPath = (n: number) => `/api/v1/reviews/product/${1 + n}`;

/** A hundred addresses in turn, each connection starting at a different one. */
export function inTurn(path: (n: number) => string, from?: BenchRequest['from']): BenchPath['requestsOf'] {
  return (connection) =>
    Array.from({ length: urlsInTurn }, (_, n) => ({
      method: 'GET',
      path: path((n + connection * 3) % urlsInTurn),
      ...(from && { from }),
    }));
}

function add(productId: number): BenchRequest {
  const body = JSON.stringify({ product_id: productId, quantity: 1 });
  return { method: 'POST', path: '/api/v1/cart/add', body, from: 'shopper' };
}

const shipping = { first_name: 'Ada', last_name: 'Bench', address: '1 Loop Road', city: 'Leeds', zip_code: 'LS1' };
const checkout: BenchRequest = {
  method: 'POST',
  path: '/api/v1/orders/checkout',
  body: JSON.stringify({ shipping }),
  from: 'shopper',
};

/** 38 reads of all kinds, then one of the products shown is put into the cart and ordered. */
function readsAndCheckouts(connection: number): BenchRequest[] {
  const kinds = [listPath, searchPath, productPath, reviewsPath];
  return Array.from({ length: 5 }, (_, round) => {
    const reads = Array.from({ length: 38 }, (_unused, n): BenchRequest => {
      const path = kinds[n % kinds.length] ?? listPath;
      return { method: 'GET', path: path((n + round * 19 + connection * 3) % urlsInTurn) };
    });
    return [...reads, add(1 + ((connection * 31 + round * 7) % 1000)), checkout];
  }).flat();
}

/** How many shoppers order in turn on a connection: one alone would soon have more orders of a day than anybody has. */
const shoppersInTurn = 30;

function checkoutsOfMany(connection: number): BenchRequest[] {
  return Array.from({ length: shoppersInTurn }, (_, turn) => {
    const shopper = connection + 16 * turn;
    const requests = [add(1 + ((connection * 53) % products)), add(2 + ((connection * 59) % products)), checkout];
    return requests.map((request) => ({ ...request, shopper }));
  }).flat();
}

export const benchPaths = {
  list: { what: 'products list of 10', connections: 32, requestsOf: inTurn(listPath) },
  search: { what: 'search, 10 matches', connections: 32, requestsOf: inTurn(searchPath) },
  product: { what: 'one product', connections: 32, requestsOf: inTurn(productPath) },
  reviews: { what: 'reviews of a product, 20', connections: 32, requestsOf: inTurn(reviewsPath) },
  mix: {
    what: '95 % such reads, 5 % orders of what is shown',
    connections: 32,
    writes: true,
    requestsOf: readsAndCheckouts,
  },
  cart: {
    what: 'add to a cart of up to 8 lines',
    connections: 32,
    writes: true,
    requestsOf: (connection: number) =>
      Array.from({ length: 8 }, (_, n) => add(1 + ((connection * 31 + n * 7) % products))),
  },
  'cart-read': {
    what: 'read a cart',
    connections: 32,
    requestsOf: () => [{ method: 'GET', path: '/api/v1/cart/', from: 'shopper' }],
  },
  checkout: {
    what: '16 shoppers at a time, two adds and a checkout each',
    connections: 16,
    writes: true,
    requestsOf: checkoutsOfMany,
  },
  deep: {
    what: 'list of 10 at skip 9,000 and on',
    connections: 32,
    requestsOf: inTurn((n) => `/api/v1/products/?skip=${9_000 + n * 10 - 10}&limit=10`),
  },
  'rare-word': {
    what: 'search of a word that 1 % of 100,000 products have',
    connections: 32,
    requestsOf: inTurn((n) => `/api/v1/products/search/?q=${rareWord}&skip=${n}&limit=10`),
  },
} satisfies Record<string, BenchPath>;

export type PathName = keyof typeof benchPaths;

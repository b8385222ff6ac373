import { products } from './fill.js';

export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** One thing that is measured: what each connection asks, over and over. */
export interface BenchPath {
  name: string;
  what: string;
  connections: number;
  /** Whether requests come from a shopper; connection `n` is shopper `n`. */
  signedIn: boolean;
  /** The requests of connection `n`, from 1, asked in turn. */
  requestsOf(connection: number): BenchRequest[];
}

const urlsInTurn = 100;
const words = [
  'linen shirt',
  'oak lamp',
  'copper mug',
  'heliotrope',
  'glass kettle',
  'wool blanket',
  'steel chair',
  'notebook',
];

function inTurn(path: (n: number) => string): BenchRequest[] {
  return Array.from({ length: urlsInTurn }, (_, n) => ({ method: 'GET', path: path(n) }));
}

function add(productId: number): BenchRequest {
  return { method: 'POST', path: '/api/v1/cart/add', body: JSON.stringify({ product_id: productId, quantity: 1 }) };
}

const shipping = { first_name: 'Ada', last_name: 'Bench', address: '1 Loop Road', city: 'Leeds', zip_code: 'LS1' };
const checkout: BenchRequest = { method: 'POST', path: '/api/v1/orders/checkout', body: JSON.stringify({ shipping }) };

export const benchPaths: BenchPath[] = [
  {
    name: 'list',
    what: 'products list of 10, a hundred pages in turn',
    connections: 32,
    signedIn: false,
    requestsOf: () => inTurn((n) => `/api/v1/products/?skip=${n * 10}&limit=10`),
  },
  {
    name: 'search',
    what: 'search, 10 of the matches, a hundred different in turn',
    connections: 32,
    signedIn: false,
    requestsOf: () =>
      inTurn(
        (n) =>
          `/api/v1/products/search/?q=${encodeURIComponent(words[n % 8] ?? '')}&skip=${Math.floor(n / 8)}&limit=10`,
      ),
  },
  {
    name: 'product',
    what: 'one product, a hundred in turn',
    connections: 32,
    signedIn: false,
    requestsOf: () => inTurn((n) => `/api/v1/products/${1 + ((n * 97) % products)}`),
  },
  {
    name: 'cart',
    what: 'add to a cart of up to 8 lines',
    connections: 32,
    signedIn: true,
    requestsOf: (connection) => Array.from({ length: 8 }, (_, n) => add(1 + ((connection * 31 + n * 7) % products))),
  },
  {
    name: 'checkout',
    what: '16 shoppers, two adds and a checkout each',
    connections: 16,
    signedIn: true,
    requestsOf: (connection) => [
      add(1 + ((connection * 53) % products)),
      add(2 + ((connection * 59) % products)),
      checkout,
    ],
  },
];

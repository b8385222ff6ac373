// What the database and node:http alone can do: the service's own statements and nothing in between. No token is checked,
// no input validated, no rule enforced, no error distinguished: it is a yardstick, not a service.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { connectionExtras } from '../../src/database/connections/connection-extras.js';
import type { Statement } from '../../src/database/database.js';
import { addToCart } from '../../src/store/cart/cart.statements.js';
import { byId, page, search, valuesOf } from '../../src/store/catalogue/catalogue.statements.js';
import { wordsOf } from '../../src/store/catalogue/search-words.js';
import { placeOrder } from '../../src/store/orders/place-order.statements.js';
import { toReviewResponse } from '../../src/store/reviews/reviews.mapper.js';
import { page as reviewsPage, type ReviewRow } from '../../src/store/reviews/reviews.repository.js';
import { eventPage } from './event-list.js';

const url = process.env['DATABASE_URL'] ?? '';
const poolSize = Number(process.env['DATABASE_POOL_SIZE']);
const pool = new pg.Pool({ connectionString: url, ...connectionExtras(0), max: poolSize });

type Runner = Pick<pg.Pool | pg.PoolClient, 'query'>;
type Body = Record<string, unknown> & { shipping: Record<string, string> };

async function rows<T extends pg.QueryResultRow>(
  runner: Runner,
  sql: Statement | string,
  values: unknown[],
): Promise<T[]> {
  const query = typeof sql === 'string' ? { text: sql, values } : { ...sql, values };
  return (await runner.query<T>(query)).rows;
}

function answer(response: ServerResponse, body: unknown, status = 200): void {
  answerText(response, JSON.stringify(body), status);
}

function answerText(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Body;
}

async function checkout(userId: string, { shipping }: Body): Promise<string> {
  const [placed] = await rows<{ verdict: string; body: string }>(pool, placeOrder, [
    userId,
    shipping['first_name'],
    shipping['last_name'],
    shipping['address'],
    shipping['city'],
    shipping['zip_code'],
    'United States',
    null,
    'standard',
    5.99,
    null, // never free
    null, // whatever the client believes
    5,
    null, // no coupon
    null, // no key
    null,
    false, // no mail
    1_000_000, // orders a day
    1_000_000, // unpaid orders
    5, // pieces left that are few
  ]);
  if (placed?.verdict !== 'placed') throw new Error('The order was not placed');
  return placed.body;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const paging = [Number(searchParams.get('skip') ?? 0), Number(searchParams.get('limit') ?? 10)];
  const userId = request.headers['x-user-id'] as string;
  if (pathname === '/api/v1/products/') return answer(response, await rows(pool, page, paging));
  if (pathname === '/api/v1/products/search/') {
    const words = wordsOf(searchParams.get('q') ?? '');
    return answer(
      response,
      await rows(pool, search(words, { withDrafts: false }), [words.text, ...paging, ...valuesOf(words)]),
    );
  }
  if (pathname.startsWith('/api/v1/reviews/product/')) {
    const reviews = await rows<ReviewRow>(pool, reviewsPage, [Number(pathname.split('/').at(-1)), 0, 20]);
    return answer(response, reviews.map(toReviewResponse));
  }
  if (pathname === '/api/v1/events') {
    return answer(response, await eventPage(pool, searchParams));
  }
  if (pathname === '/api/v1/cart/add') {
    const { product_id, quantity } = await bodyOf(request);
    const [cart] = await rows<{ body: string | null }>(pool, addToCart, [userId, product_id, quantity]);
    if (!cart?.body) throw new Error('The product was not added');
    return answerText(response, cart.body);
  }
  if (pathname === '/api/v1/orders/checkout')
    return answerText(response, await checkout(userId, await bodyOf(request)), 201);
  const [product] = await rows(pool, byId, [Number(pathname.split('/').at(-1))]);
  answer(response, product);
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => answer(response, { detail: String(error) }, 500));
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

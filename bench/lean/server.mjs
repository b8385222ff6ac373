// The lean contestant: node:http, pg and one short prepared statement a request, written for these paths alone. It shares
// no code and no statement with the service, so that what the service's own SQL costs shows in the ratio. No token is
// checked and no input validated; its responses have the same fields.
import { createServer } from 'node:http';
import pg from 'pg';

pg.types.setTypeParser(1700, Number);
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
});

const productColumns = 'id, name, description, price, stock, color, material, size, image_url, created_at';
const shippingColumns = 'shipping_first_name, shipping_last_name, shipping_address, shipping_city, shipping_zip';

const statements = {
  list: `SELECT ${productColumns} FROM products WHERE deleted_at IS NULL ORDER BY id OFFSET $1 LIMIT $2`,
  product: `SELECT ${productColumns} FROM products WHERE id = $1 AND deleted_at IS NULL`,
  reviews: `
    SELECT r.id, r.product_id, r.user_id, r.rating, r.title, r.content, r.image_url, r.created_at,
           json_build_object('id', u.id, 'username', u.username, 'first_name', u.first_name,
                             'last_name', u.last_name, 'avatar_url', u.avatar_url) AS user
      FROM reviews r JOIN users u ON u.id = r.user_id
     WHERE r.product_id = $1 ORDER BY r.created_at DESC, r.id DESC LIMIT 20`,
  cart: `
    SELECT c.id, c.user_id, c.created_at, c.updated_at,
           (SELECT coalesce(json_agg(json_build_object('id', i.id, 'product_id', i.product_id, 'quantity', i.quantity,
                                                       'product', row_to_json(p)) ORDER BY i.id), '[]')
              FROM cart_items i JOIN products p ON p.id = i.product_id WHERE i.cart_id = c.id) AS items
      FROM carts c WHERE c.user_id = $1`,
  add: `
    WITH added AS (
      INSERT INTO cart_items AS i (cart_id, product_id, quantity)
      SELECT c.id, p.id, $3 FROM carts c, products p WHERE c.user_id = $1 AND p.id = $2 AND p.stock >= $3
      ON CONFLICT (cart_id, product_id) DO UPDATE SET quantity = i.quantity + excluded.quantity
      RETURNING id, cart_id, product_id, quantity),
    line AS (
      SELECT * FROM added
       UNION ALL
      SELECT id, cart_id, product_id, quantity FROM cart_items
       WHERE cart_id = (SELECT id FROM carts WHERE user_id = $1) AND product_id <> $2)
    SELECT c.id, c.user_id, c.created_at, c.updated_at,
           (SELECT json_agg(json_build_object('id', l.id, 'product_id', l.product_id, 'quantity', l.quantity,
                                              'product', row_to_json(p)) ORDER BY l.id)
              FROM line l JOIN products p ON p.id = l.product_id) AS items
      FROM carts c WHERE c.user_id = $1`,
  checkout: `
    WITH line AS MATERIALIZED (
      SELECT i.cart_id, p.id AS product_id, p.name, p.image_url, p.price, i.quantity
        FROM cart_items i JOIN products p ON p.id = i.product_id
       WHERE i.cart_id = (SELECT id FROM carts WHERE user_id = $1 FOR UPDATE)
       ORDER BY p.id FOR UPDATE OF p),
    taken AS (
      UPDATE products p SET stock = p.stock - l.quantity FROM line l WHERE p.id = l.product_id RETURNING p.*),
    placed AS (
      INSERT INTO orders (user_id, total_price, ${shippingColumns}, shipping_country, shipping_method, shipping_cost)
      SELECT $1, sum(price * quantity) + 5.99, $2, $3, $4, $5, $6, 'United States', 'standard', 5.99 FROM line
      RETURNING *),
    written AS (
      INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
      SELECT o.id, l.product_id, l.quantity, l.price, l.name, l.image_url FROM placed o, line l
      RETURNING id, product_id, quantity, price),
    emptied AS (DELETE FROM cart_items WHERE cart_id = (SELECT cart_id FROM line LIMIT 1))
    SELECT o.*, (SELECT json_agg(json_build_object('id', w.id, 'product_id', w.product_id, 'quantity', w.quantity,
                                                   'price', w.price, 'product', row_to_json(t)))
                   FROM written w JOIN taken t ON t.id = w.product_id) AS items
      FROM placed o`,
};

/** Names and descriptions with all of the words, by id: it has only the tables' own indexes. */
function searchSql(words) {
  const has = Array.from({ length: words }, (_, n) => `text_key LIKE '%' || lower($${n + 3}) || '%'`).join(' AND ');
  return `SELECT ${productColumns} FROM products JOIN product_search ON product_id = id
           WHERE ${has} ORDER BY id OFFSET $1 LIMIT $2`;
}

async function rows(name, values) {
  return (await pool.query({ name, text: statements[name], values })).rows;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const routes = [
  [
    '/api/v1/products/search/',
    async (_request, query) => {
      const words = query.get('q').split(' ');
      const paging = [Number(query.get('skip') ?? 0), Number(query.get('limit') ?? 10)];
      return (await pool.query(searchSql(words.length), [...paging, ...words])).rows;
    },
  ],
  ['/api/v1/reviews/product/', (_request, _query, id) => rows('reviews', [Number(id)])],
  [
    '/api/v1/cart/add',
    async (request) => {
      const { product_id: product, quantity } = await bodyOf(request);
      return (await rows('add', [request.headers['x-user-id'], product, quantity]))[0];
    },
  ],
  [
    '/api/v1/orders/checkout',
    async (request) => {
      const { shipping: to } = await bodyOf(request);
      const address = [to.first_name, to.last_name, to.address, to.city, to.zip_code];
      return (await rows('checkout', [request.headers['x-user-id'], ...address]))[0];
    },
  ],
  ['/api/v1/cart/', async (request) => (await rows('cart', [request.headers['x-user-id']]))[0]],
  [
    '/api/v1/products/',
    async (_request, query, id) => {
      if (id !== '') return (await rows('product', [Number(id)]))[0];
      return rows('list', [Number(query.get('skip') ?? 0), Number(query.get('limit') ?? 10)]);
    },
  ],
];

async function serve(request, response) {
  const [path, search] = request.url.split('?');
  const [prefix, answer] = routes.find(([start]) => path.startsWith(start)) ?? [];
  let status = request.method === 'POST' && path.endsWith('checkout') ? 201 : 200;
  let text;
  try {
    text = JSON.stringify(await answer(request, new URLSearchParams(search), path.slice(prefix.length)));
  } catch (error) {
    status = 500;
    text = JSON.stringify({ detail: String(error) });
  }
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

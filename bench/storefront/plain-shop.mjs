// The contestant of the shop front's pages: Express, pg and templates, with statements of its own. It shares no code with the
// service and keeps nothing: no session, no language, no policy, no structured data. Its pages show as many products.
import express from 'express';
import pg from 'pg';

pg.types.setTypeParser(1700, Number);
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
});

const rating = 'rating_sum::float / nullif(review_count, 0)';
const columns = `id, slug, name, price, stock, image_url, round((${rating})::numeric, 1) AS average_rating, review_count`;
const isSold = `deleted_at IS NULL AND status = 'published'`;
const perPage = 24;
const statements = {
  loved: `SELECT ${columns} FROM products WHERE ${isSold} AND stock > 0 ORDER BY ${rating} DESC NULLS LAST, id LIMIT 11`,
  newest: `SELECT ${columns} FROM products WHERE ${isSold} AND stock > 0 ORDER BY created_at DESC, id DESC LIMIT 5`,
  voices: `SELECT t.content, coalesce(u.username, t.guest_name) AS username FROM testimonials t LEFT JOIN users u ON u.id = t.user_id ORDER BY t.id DESC LIMIT 3`,
  shelf: `SELECT ${columns} FROM products WHERE ${isSold} ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT ${perPage}`,
  colors: `SELECT color, count(*)::int AS count FROM products WHERE ${isSold} GROUP BY color ORDER BY count DESC LIMIT 50`,
};

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const text = (value) => String(value ?? '').replaceAll(/[&<>"']/g, (one) => escapes[one]);
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const rows = async (name, values = []) => (await pool.query({ name, text: statements[name], values })).rows;

const card = ({ id, slug, name, price, stock, image_url, average_rating, review_count }) => `
<li><article><a href="/p/${text(slug ?? id)}">${image_url ? `<img src="${text(image_url)}" alt="">` : ''}
<h3>${text(name)}</h3></a><data value="${price}">${money.format(price)}</data>
${average_rating === null ? '' : `<p>${average_rating} out of 5 stars, ${review_count} reviews</p>`}
${stock === 0 ? '<p>Sold out</p>' : ''}</article></li>`;

const page = (title, main) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/style.css"></head>
<body><header><a href="/">Shop</a><form action="/search"><input name="q"><button>Search</button></form>
<a href="/cart">Cart</a></header><main><h1>${text(title)}</h1>${main}</main><footer>Shop</footer></body></html>`;

async function firstPage(_request, response) {
  const [loved, newest, voices] = await Promise.all([rows('loved'), rows('newest'), rows('voices')]);
  const said = voices.map(
    ({ content, username }) => `<li><blockquote>${text(content)}</blockquote>${text(username)}</li>`,
  );
  const lists = [loved.map(card), said, newest.map(card)].map((list) => `<ul>${list.join('')}</ul>`);
  response.send(page('Made well', lists.join('')));
}

async function shelf(request, response) {
  const at = Math.max(1, Number(request.query['page'] ?? 1) || 1);
  const [shown, colors] = await Promise.all([rows('shelf', [(at - 1) * perPage]), rows('colors')]);
  const filters = colors.map(
    ({ color, count }) => `<li><a href="/search?color=${text(color)}">${text(color)} (${count})</a></li>`,
  );
  response.send(page('All products', `<ul>${filters.join('')}</ul><ul>${shown.map(card).join('')}</ul>`));
}

const app = express();
app.disable('x-powered-by');
app.get('/', (request, response, next) => void firstPage(request, response).catch(next));
app.get('/search', (request, response, next) => void shelf(request, response).catch(next));

const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => {
  server.close();
  process.exit(0);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seriesStatements } from '../../../src/store/admin/series.repository.js';
import { type Series, seriesMetrics } from '../../../src/store/admin/series.dto.js';
import { orderStatuses, paidStatuses } from '../../../src/store/orders/order-status.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { scansOf } from '../../support/explain.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let buyer: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  buyer = await insertUser(app);
  await app.database.rows(
    `INSERT INTO orders (user_id, status, reached, total_price, created_at)
     SELECT $1, status, CASE status WHEN 'gift-wrapped' THEN 'paid' ELSE 'pending' END, 10.10, at::timestamptz
       FROM unnest($2::text[], $3::text[]) AS t(status, at)`,
    [
      buyer.id,
      ['paid', 'shipped', 'gift-wrapped', 'pending', 'cancelled', 'paid'],
      [
        '2026-05-01T00:00Z',
        '2026-05-01T23:59Z',
        '2026-05-03T12:00Z',
        '2026-05-03T12:00Z',
        '2026-05-03Z',
        '2026-06-01Z',
      ],
    ],
  );
  await app.database.rows(`UPDATE users SET created_at = '2026-05-02T12:00Z' WHERE id = $1`, [buyer.id]);
  await app.database.rows(
    `INSERT INTO testimonials (guest_name, content, rating, created_at) VALUES ('A', 'Good', 5, '2026-05-03T08:00Z')`,
  );
});
afterAll(() => app.close());

const firstDays = 'from=2026-05-01T00:00:00Z&to=2026-05-04T00:00:00Z';
const ask = (query: string, token = admin.token) =>
  app.api.get<Series>(`/api/v1/admin/stats/series?${query}`, { token });
async function series(query: string): Promise<Series> {
  const { status, body } = await ask(query);
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body;
}
const values = async (query: string) => (await series(query)).points.map(({ value }) => value);

describe('GET /api/v1/admin/stats/series', () => {
  it.each(seriesMetrics)('counts %s by one statement', async (metric) => {
    await series(`metric=${metric}&${firstDays}`);
    expect(await statementsOf(() => series(`metric=${metric}&${firstDays}`))).toEqual([`series.${metric}`]);
  });

  it('returns a point for every day, oldest first', async () => {
    expect(await series(`metric=orders&${firstDays}`)).toEqual({
      metric: 'orders',
      interval: 'day',
      from: '2026-05-01T00:00:00.000Z',
      to: '2026-05-04T00:00:00.000Z',
      points: [
        { at: '2026-05-01T00:00:00.000Z', value: 2 },
        { at: '2026-05-02T00:00:00.000Z', value: 0 },
        { at: '2026-05-03T00:00:00.000Z', value: 3 },
      ],
    });
  });

  it('counts paid orders as revenue, to the cent, as the dashboard does', async () => {
    expect(await values(`metric=revenue&${firstDays}`)).toEqual([20.2, 0, 10.1]);
    const months = await values('metric=revenue&interval=month&from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z');
    expect(months).toEqual([0, 0, 0, 0, 30.3, 10.1, 0, 0, 0, 0, 0, 0]);
    const { body } = await app.api.get<{ total_revenue: number }>('/api/v1/admin/stats', { token: admin.token });
    expect(body.total_revenue).toBe(40.4);
  });

  it('counts users and testimonials', async () => {
    expect(await values(`metric=users&${firstDays}`)).toEqual([0, 1, 0]);
    expect(await values(`metric=testimonials&${firstDays}`)).toEqual([0, 0, 1]);
  });

  it('begins weeks on Mondays', async () => {
    const { from, points } = await series(
      'metric=orders&interval=week&from=2026-05-03T00:00:00Z&to=2026-05-05T00:00:00Z',
    );
    expect([from, points.map(({ value }) => value)]).toEqual(['2026-04-27T00:00:00.000Z', [5, 0]]);
  });

  it('returns the last thirty days by default', async () => {
    const { points } = await series('metric=users');
    expect([points.length, points.at(-1)?.value]).toEqual([30, 1]);
  });

  it.each([
    '',
    'metric=weather',
    'metric=orders&interval=hour',
    'metric=orders&from=2026-05-04T00:00:00Z&to=2026-05-01T00:00:00Z',
    'metric=orders&from=2020-05-04T00:00:00Z&to=2026-05-01T00:00:00Z',
    'metric=orders&interval=month&from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z',
  ])('responds with 422 for %j', async (query) => {
    expect((await ask(query)).status).toBe(422);
  });

  it('serves the last days of the calendar', async () => {
    const end = 'from=9999-12-01T00:00:00Z&to=9999-12-31T00:00:00Z';
    expect(await values(`metric=orders&${end}`)).toEqual(Array(30).fill(0));
    expect((await ask('metric=orders&from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59Z')).status).toBe(422);
  });

  it('responds with 403 to other users and 401 without a token', async () => {
    expect((await ask('metric=orders', buyer.token)).status).toBe(403);
    expect((await app.api.get('/api/v1/admin/stats/series?metric=orders')).status).toBe(401);
  });

  it.each(seriesMetrics)('is served by the index on the creation time: %s', async (metric) => {
    await app.database.rows(
      `INSERT INTO users (id, username, email, password_hash, created_at)
       SELECT gen_random_uuid(), $1 || n, $1 || n || '@example.com', 'x', timestamptz '2025-01-01Z' - n * interval '1 hour'
         FROM generate_series(1, 5000) AS n`,
      [metric],
    );
    await app.database.rows(
      `INSERT INTO orders (user_id, status, total_price, created_at)
       SELECT id, 'paid', 1, timestamptz '2025-01-01Z' - random() * interval '1 year' FROM users`,
    );
    await app.database.rows(
      `INSERT INTO testimonials (guest_name, content, rating, created_at)
       SELECT 'A', 'Good', 5, timestamptz '2025-01-01Z' - n * interval '1 hour' FROM generate_series(1, 5000) AS n`,
    );
    await app.database.rows('VACUUM ANALYZE orders, users, testimonials');
    const [from, to] = [new Date('2026-05-01Z'), new Date('2026-06-01Z')];
    const statuses = metric === 'revenue' ? [paidStatuses, orderStatuses] : [];
    const scans = await scansOf(app.database, seriesStatements[metric].text, [[from], from, to, ...statuses]);
    const table = metric === 'revenue' ? 'orders' : metric;
    expect(scans.at(-1)).toMatch(new RegExp(`Index (Only )?Scan of ${table}_newest_idx`));
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
  });
});

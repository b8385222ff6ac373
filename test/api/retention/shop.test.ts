import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CartSweep } from '../../../src/store/cart/cart-sweep.js';
import type { Cart } from '../../../src/store/cart/cart.dto.js';
import { SessionSweep } from '../../../src/store/sessions/session-sweep.js';
import { UnusedUploadsRepository } from '../../../src/store/uploads/unused-uploads.repository.js';
import { UnusedUploads } from '../../../src/store/uploads/unused-uploads.js';
import { addToCart, insertProduct } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { UploadScene } from '../uploads/upload-scene.js';

let scene: UploadScene;
let other: NestExpressApplication;
beforeAll(async () => {
  scene = await UploadScene.start({
    env: { CART_RETENTION_DAYS: '10', UNUSED_UPLOAD_DAYS: '30' },
  });
  ({ nest: other } = await scene.app.anotherNode());
});
afterAll(() => scene.app.close());
beforeEach(() => scene.renewUser());

const sql = (text: string, values: unknown[] = []) => scene.app.database.rows(text, values);
const nodes = () => [scene.app.nest, other];

describe('What is in a cart', () => {
  const sweep = (node = scene.app.nest) => node.get(CartSweep, { strict: false }).emptyAbandoned();
  const age = (days: number) =>
    sql(`UPDATE carts SET updated_at = now() - $2 * interval '1 day' WHERE user_id = $1`, [scene.user.id, days]);
  const cart = async () => (await scene.app.api.get<Cart>('/api/v1/cart/', { token: scene.user.token })).body;

  it('stays as long as is set, and goes after that', async () => {
    await addToCart(scene.app, scene.user, await insertProduct(scene.app, { stock: 5 }));
    await age(9);
    await sweep();
    expect((await cart()).items).toHaveLength(1);
    await age(11);
    const { updated_at: before } = await cart();
    await Promise.all(nodes().map((node) => sweep(node)));
    const { items, updated_at: after } = await cart();
    expect(items).toEqual([]);
    expect(after > before).toBe(true);
  });

  it('stays where its owner changes it at that moment, and every answer shows the lines that there are', async () => {
    const products = [await insertProduct(scene.app, { stock: 5 }), await insertProduct(scene.app, { stock: 5 })];
    for (let round = 0; round < 10; round += 1) {
      await addToCart(scene.app, scene.user, products[0] ?? 0);
      await age(11);
      const add = scene.app.api.post<Cart>('/api/v1/cart/add', {
        token: scene.user.token,
        json: { product_id: products[1], quantity: 1 },
      });
      const [{ status, body }] = await Promise.all([add, ...nodes().map((node) => sweep(node))]);
      expect(status).toBe(200);
      const { items } = await cart();
      expect(items).toEqual(body.items);
      expect(items.map(({ product_id }) => product_id)).toContain(products[1]);
      await scene.app.api.delete('/api/v1/cart/', { token: scene.user.token });
    }
  });
});

describe('A known device', () => {
  const devices = async () => {
    const rows = await sql('SELECT digest FROM known_devices WHERE user_id = $1 ORDER BY digest', [scene.user.id]);
    return rows.map(({ digest }) => digest);
  };

  it('is forgotten when it was not used for a year, but the last one of an account never', async () => {
    await sql('DELETE FROM known_devices WHERE user_id = $1', [scene.user.id]);
    await sql(
      `INSERT INTO known_devices (user_id, digest, seen_at)
       SELECT $1, digest, now() - days * interval '1 day' FROM (VALUES ('a', 364), ('b', 366), ('c', 400)) AS d(digest, days)`,
      [scene.user.id],
    );
    const sweep = (node: NestExpressApplication) => node.get(SessionSweep, { strict: false }).forgetDevices();
    await Promise.all(nodes().map(sweep));
    expect(await devices()).toEqual(['a']);
    await sql(`UPDATE known_devices SET seen_at = now() - interval '900 days' WHERE user_id = $1`, [scene.user.id]);
    await sweep(scene.app.nest);
    expect(await devices()).toEqual(['a']);
  });
});

describe('A picture', () => {
  const sweep = (node = scene.app.nest) => node.get(UnusedUploads, { strict: false }).removeUnused();
  const upload = async () => (await scene.upload('general')).body;
  const isServed = async (url: string) => (await scene.app.api.get(url)).status === 200;
  const isKept = async (filename: string) =>
    (await sql('SELECT FROM uploads WHERE filename = $1', [filename])).length === 1;
  const age = (days: number) =>
    sql(`UPDATE uploads SET unused_since = now() - $1 * interval '1 day' WHERE unused_since IS NOT NULL`, [days]);

  it('goes with its file when nothing has shown it for as long as is set', async () => {
    const { url, filename } = await upload();
    await sql(`UPDATE uploads SET created_at = now() - interval '900 days' WHERE filename = $1`, [filename]);
    await sweep();
    await age(29);
    await sweep();
    expect(await isServed(url)).toBe(true);
    await age(31);
    await Promise.all(nodes().map((node) => sweep(node)));
    expect(await isServed(url)).toBe(false);
    expect(await scene.filesOf('general')).not.toContain(filename);
    expect(await isKept(filename)).toBe(false);
  });

  const uses: [string, text: string][] = [
    ['an avatar', `UPDATE users SET avatar_url = $1 WHERE id = $2 AND $3::int IS NOT NULL`],
    ['the shop', `UPDATE shop_settings SET logo_url = $1 WHERE $2::uuid IS NOT NULL AND $3::int IS NOT NULL`],
    ['a product', `UPDATE products SET image_url = $1 WHERE id = $3 AND $2::uuid IS NOT NULL`],
    [
      'the description of a product',
      `UPDATE products SET description = 'See ' || $1 WHERE id = $3 AND $2::uuid IS NOT NULL`,
    ],
    [
      'an order',
      `WITH o AS (INSERT INTO orders (user_id, total_price) VALUES ($2, 1) RETURNING id)
       INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
       SELECT id, $3, 1, 1, 'x', $1 FROM o`,
    ],
    ['a review', `INSERT INTO reviews (product_id, user_id, rating, image_url) VALUES ($3, $2, 5, $1)`],
    [
      'a testimonial',
      `INSERT INTO testimonials (user_id, content, rating, guest_avatar_url)
       VALUES ($2, 'Good', 5, $1 || substring($3::text, 1, 0))`,
    ],
  ];
  it.each(uses)('stays while it is shown by %s, at any address of the service', async (_, text) => {
    const { url, filename } = await upload();
    const productId = await insertProduct(scene.app);
    await sweep();
    await age(31);
    await sql(text, [`https://shop.example.com${url}?w=100`, scene.user.id, productId]);
    await scene.app.nest.get(UnusedUploadsRepository, { strict: false }).remove(30);
    expect(await isKept(filename)).toBe(true);
    await sweep();
    await age(31);
    await sweep();
    expect(await isServed(url)).toBe(true);
  });

  it('stays where somebody begins to show it at that moment', async () => {
    const { url } = await upload();
    await sweep();
    await age(31);
    const showing = 'UPDATE users SET avatar_url = $1 WHERE id = $2';
    const held = await HeldTransaction.open(scene.app.database, showing, [url, scene.user.id]);
    await Promise.all(nodes().map((node) => sweep(node)));
    await held.commit();
    await sweep();
    expect(await isServed(url)).toBe(true);
  });
});

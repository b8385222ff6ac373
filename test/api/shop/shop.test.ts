import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../src/config/settings.js';
import { Changes } from '../../../src/database/changes.js';
import { shopItself } from '../../../src/store/shop/shop-cache-tags.js';
import { toShop } from '../../../src/store/shop/shop.mapper.js';
import { ShopRepository } from '../../../src/store/shop/shop.repository.js';
import type { Shop } from '../../../src/store/shop/shop.dto.js';
import type { ApiClient } from '../../support/api-client.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/shop';
const env = { SHOP_NAME: 'Harbour Outfitters', SHOP_CURRENCY: 'EUR', SHOP_LOCALE: 'de-at', RESPONSE_CACHE_MB: '64' };

let app: TestApp;
let other: ApiClient;
beforeAll(async () => {
  app = await startTestApp({ env });
  other = (await app.anotherNode()).api;
});
afterAll(() => app.close());

describe('GET /api/v1/shop', () => {
  it('tells who the shop is and how it ships, to everybody', async () => {
    const { status, body } = await app.api.get<Shop>(path);
    expect(status).toBe(200);
    expect(body).toEqual({
      name: 'Harbour Outfitters',
      currency: 'EUR',
      locale: 'de-AT',
      contact_email: null,
      address: null,
      logo_url: null,
      shipping_methods: [
        { code: 'standard', name: 'Standard', cost: 5.99, days: 5, free_from: null },
        { code: 'express', name: 'Express', cost: 12.99, days: 2, free_from: null },
      ],
      payment: { provider: 'manual', instructions: null },
      front_url: null,
    });
  });

  it('leads to a shop front on a machine of its own', async () => {
    const settings = loadSettings({ STOREFRONT: 'false', STOREFRONT_URL: 'https://shop.example.com' });
    const stored = await app.nest.get(ShopRepository).read();
    expect(toShop(stored, settings).front_url).toBe('https://shop.example.com');
  });

  it('comes from memory until it changes, on both nodes', async () => {
    const readBoth = async () => [(await app.api.get<Shop>(path)).body, (await other.get<Shop>(path)).body];
    await readBoth();
    expect(await statementsOf(readBoth)).toEqual([]);
    await app.database.rows(`UPDATE shipping_methods SET free_from = 50, position = 0 WHERE code = 'express'`);
    app.nest.get(Changes).invalidate([shopItself]);
    const codes = async () => (await readBoth()).map((shop) => shop.shipping_methods.map(({ code }) => code));
    expect((await codes())[0]).toEqual(['express', 'standard']);
    while ((await codes())[1]?.[0] !== 'express') await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await readBoth())[1]?.shipping_methods[0]).toMatchObject({ code: 'express', free_from: 50 });
  });
});

describe('The settings of the shop', () => {
  it('are dollars and American English unless they are set', () => {
    expect(loadSettings({}).shop).toEqual({ name: 'Store Service', currency: 'USD', locale: 'en-US' });
  });

  it.each([
    ['SHOP_CURRENCY', 'dollars', 'a currency of ISO 4217'],
    ['SHOP_CURRENCY', 'usd', 'a currency of ISO 4217'],
    ['SHOP_CURRENCY', 'ZZZ', 'a currency of ISO 4217'],
    ['SHOP_LOCALE', 'english_US', 'a language tag'],
  ])('stop the start where %s is %s', (name, value, takes) => {
    expect(() => loadSettings({ [name]: value })).toThrow(`${name} is "${value}", and takes ${takes}`);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShippingMethod, Shop, ShopSettings } from '../../../src/store/shop/shop.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { auditedBy } from '../../support/audit.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/admin/shop';
const standard = { code: 'standard', name: 'Standard', cost: 5.99, days: 5, free_from: null };
const express = { code: 'express', name: 'Express', cost: 12.99, days: 2, free_from: null };
const untouched = {
  name: null,
  currency: null,
  locale: null,
  contact_email: null,
  address: null,
  logo_url: null,
  payment_instructions: null,
  shipping_methods: [standard, express],
};
const defaults = { name: 'Harbour Outfitters', currency: 'EUR', locale: 'en-IE' };
const env = { SHOP_NAME: defaults.name, SHOP_CURRENCY: 'EUR', SHOP_LOCALE: 'en-ie', RESPONSE_CACHE_MB: '64' };

let server: MailServer;
let app: TestApp;
let other: ApiClient;
let admin: InsertedUser;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({
    env: { ...server.env, ...env, MAIL_FROM: 'shop@harbour.example', ACCESS_POLICY: 'hardened' },
    jobs: true,
  });
  other = (await app.anotherNode()).api;
  admin = await insertAdmin(app);
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  await patch(untouched);
});

const read = (api = app.api) => api.get<ShopSettings>(path, { token: admin.token });
const patch = (json: unknown, api = app.api) => api.patch<ShopSettings>(path, { token: admin.token, json });
const shown = async (api = app.api) => (await api.get<Shop>('/api/v1/shop')).body;

/** What the other node shows, once it does not show `before` any more. */
async function shownElsewhere(before: Shop): Promise<Shop> {
  let shop = await shown(other);
  while (JSON.stringify(shop) === JSON.stringify(before)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    shop = await shown(other);
  }
  return shop;
}

describe('GET /api/v1/admin/shop', () => {
  it('tells what admins have set, and what counts where they have not', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({ ...untouched, defaults });
  });

  it('is for admins alone, as is its PATCH', async () => {
    const { token } = await insertUser(app);
    for (const method of ['GET', 'PATCH']) {
      expect((await app.api.send(method, path, { token, json: {} })).status).toBe(403);
      expect((await app.api.send(method, path, { json: {} })).status).toBe(401);
    }
  });
});

describe('PATCH /api/v1/admin/shop', () => {
  it('changes what is given, for everybody and on every node, and null returns to the environment', async () => {
    const before = await shown(other);
    const set = {
      name: 'Lighthouse Books',
      currency: 'JPY',
      locale: 'ja-JP',
      contact_email: 'books@lighthouse.example',
      address: '1 Harbour Road\nSpringfield',
      logo_url: 'https://lighthouse.example/logo.png',
      payment_instructions: 'Transfer it.',
    };
    const { status, body } = await patch(set);
    expect([status, body]).toEqual([200, { ...untouched, ...set, defaults }]);
    const { payment_instructions: instructions, ...fields } = set;
    const payment = { provider: 'manual', instructions };
    const shop = { ...fields, shipping_methods: [standard, express], payment, front_url: null };
    expect(await shown()).toEqual(shop);
    expect(await shownElsewhere(before)).toEqual(shop);
    await patch({ name: null, locale: '', currency: null });
    expect(await shown()).toMatchObject({ ...defaults, contact_email: set.contact_email });
    expect((await patch({})).body).toMatchObject({ name: null, address: set.address });
  });

  it.each([
    ['de-at', 'de-AT'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
  ])('keeps the locale %s in its canonical form', async (locale, canonical) => {
    expect((await patch({ locale })).body.locale).toBe(canonical);
  });

  it('replaces the shipping methods as a whole, in their order, at once for orders on every node', async () => {
    const user = await insertUser(app);
    await fillCart(app, user, [await insertProduct(app, { price: 10 })], 2);
    expect((await checkout(other, user, { shipping: { shipping_cost: 7.5 } })).status).toBe(422);
    const before = await shown(other);
    const methods: ShippingMethod[] = [
      { code: 'pick-up', name: 'Pick up', cost: 0, days: 0, free_from: null },
      { code: 'standard', name: 'By post', cost: 7.5, days: 3, free_from: 100.5 },
    ];
    expect((await patch({ shipping_methods: methods })).body.shipping_methods).toEqual(methods);
    expect((await shownElsewhere(before)).shipping_methods).toEqual(methods);
    expect((await checkout(other, user, { shipping: { shipping_method: 'express' } })).status).toBe(422);
    const { body } = await checkout(other, user, { shipping: { shipping_cost: 7.5 } });
    expect(body).toMatchObject({ shipping_method: 'standard', shipping_cost: 7.5, total_price: 27.5 });
    expect((await patch({ shipping_methods: [] })).body.shipping_methods).toEqual([]);
    const free = { code: 'free', name: 'Free', cost: 0, days: 1 };
    expect((await patch({ shipping_methods: [free] })).body.shipping_methods).toEqual([{ ...free, free_from: null }]);
  });

  it('takes a hundred methods, and changes them all in a few statements', async () => {
    const methods = Array.from({ length: 100 }, (_, n) => ({ ...standard, code: `m${n}` }));
    expect((await patch({ shipping_methods: methods })).body.shipping_methods).toEqual(methods);
  });

  it.each([
    [{ name: '' }, null],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'Two\nlines' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ currency: 'ZZZ' }, 'currency'],
    [{ currency: 'eur' }, 'currency'],
    [{ currency: 'EURO' }, 'currency'],
    [{ currency: '€' }, 'currency'],
    [{ locale: 'english_US' }, 'locale'],
    [{ locale: 'x'.repeat(36) }, 'locale'],
    [{ contact_email: 'nobody' }, 'contact_email'],
    [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
    [{ logo_url: 'ftp://example.com/logo.png' }, 'logo_url'],
    [{ address: 'x'.repeat(1_001) }, 'address'],
    [{ payment_instructions: 'x'.repeat(2_001) }, 'payment_instructions'],
    [{ shipping_methods: {} }, 'shipping_methods'],
    [{ shipping_methods: Array.from({ length: 101 }, (_, n) => ({ ...standard, code: `m${n}` })) }, 'shipping_methods'],
    [{ shipping_methods: [standard, { ...express, code: 'standard' }] }, 'shipping_methods.1.code'],
    [{ shipping_methods: [{ ...standard, code: 'By Post' }] }, 'shipping_methods.0.code'],
    [{ shipping_methods: [{ ...standard, code: '' }] }, 'shipping_methods.0.code'],
    [{ shipping_methods: [{ ...standard, name: ' ' }] }, 'shipping_methods.0.name'],
    [{ shipping_methods: [{ ...standard, cost: -0.01 }] }, 'shipping_methods.0.cost'],
    [{ shipping_methods: [{ ...standard, cost: 10_000.01 }] }, 'shipping_methods.0.cost'],
    [{ shipping_methods: [{ ...standard, cost: 1.005 }] }, 'shipping_methods.0.cost'],
    [{ shipping_methods: [{ ...standard, cost: '5' }] }, 'shipping_methods.0.cost'],
    [{ shipping_methods: [{ ...standard, days: 366 }] }, 'shipping_methods.0.days'],
    [{ shipping_methods: [{ ...standard, days: 1.5 }] }, 'shipping_methods.0.days'],
    [{ shipping_methods: [{ ...standard, free_from: 0.001 }] }, 'shipping_methods.0.free_from'],
    [{ shipping_methods: [{ ...standard, free_from: 1e10 }] }, 'shipping_methods.0.free_from'],
  ])('takes or refuses %j by the field', async (json, field) => {
    const { status, body } = await patch(json);
    expect(status).toBe(field === null ? 200 : 422);
    if (field === null) return;
    const { detail } = body as unknown as { detail: { loc: (string | number)[] }[] };
    expect(detail.map(({ loc }) => loc.slice(1).join('.'))).toEqual([field]);
    expect((await read()).body).toEqual({ ...untouched, defaults });
  });

  it('is audited with what changed, and not where nothing did', async () => {
    const entries = await auditedBy(app, async () => {
      await patch({ name: 'Lighthouse Books', contact_email: null });
      await patch({ name: 'Lighthouse Books', shipping_methods: [standard, express] });
      await patch({ currency: 'ZZZ' });
    });
    expect(entries.map(({ action, subject_type, changes }) => [action, subject_type, changes])).toEqual([
      ['shop.updated', 'shop', { name: { from: null, to: 'Lighthouse Books' } }],
    ]);
  });

  it('counts in the next mail: its name, sender, signature, currency and locale', async () => {
    const user = await insertUser(app);
    const product = await insertProduct(app, { price: 1234.5 });
    const mailOf = async (set: object) => {
      await patch(set);
      await fillCart(app, user, [product]);
      const { body } = await checkout(app.api, user);
      await allMailsSent(app);
      return server.mailTo(user.email, `Your order ${body.id}`);
    };
    const euros = await mailOf({});
    expect(euros.text).toContain('at Harbour Outfitters:');
    expect(euros.text).toContain('€1,234.50 each');
    const yen = await mailOf({
      name: 'Lighthouse Books',
      currency: 'JPY',
      locale: 'de-DE',
      contact_email: 'books@lighthouse.example',
      address: '1 Harbour Road\nSpringfield',
    });
    expect(new Map(yen.headers).get('from')).toBe('Lighthouse Books <shop@harbour.example>');
    expect(yen.text).toMatch(/1\.235\s¥ each/u);
    expect(yen.text).toMatch(/-- \nLighthouse Books\nbooks@lighthouse\.example\n1 Harbour Road\nSpringfield\n$/);
    for (const mail of [euros, yen]) expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\$|USD/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { listRoutes, type Route } from '../../../src/platform/auth/route-list.js';
import { faultOf } from '../../../src/platform/validation/check-value.js';
import { fieldSpecsOf } from '../../../src/platform/validation/dto.js';
import type { FieldSpec, StringSpec } from '../../../src/platform/validation/field-spec.js';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser, newUsername, signUp } from '../../support/accounts.js';
import { checkout, shipping } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { codeOf, enableTwoFactor } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let user: InsertedUser;
let product: number;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  user = await insertUser(app);
  product = await insertProduct(app);
});
afterAll(() => app.close());

const blanks = ['', ' ', ' \t\n\u00a0'];

/** Credentials are right or wrong, not text to be kept. */
const proofs = [
  'UserLogin',
  'TOTPLoginRequest',
  'TOTPVerifyRequest',
  'PasswordChange.current_password',
  'RefreshRequest.refresh_token',
  'EmailConfirmation.token',
  'PasswordReset.token',
];
const storePaths =
  /^\/api\/v1\/(auth|totp|users\/me\/profile|products|cart|orders|testimonials|reviews|uploads|admin)\b/;

interface Text {
  name: string;
  spec: StringSpec;
}

function textsOf(dto: Function): Text[] {
  return [...fieldSpecsOf(dto)].flatMap(([field, spec]: [string, FieldSpec]): Text[] => {
    if (spec.kind === 'object') return textsOf(spec.dto());
    return spec.kind === 'string' ? [{ name: `${dto.name}.${field}`, spec }] : [];
  });
}

/** The texts of the body that a route reads. */
function bodyTextsOf({ instance, methodName }: Route): Text[] {
  const prototype = Object.getPrototypeOf(instance) as object;
  const places = (Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, methodName) ?? {}) as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, methodName) as Function[];
  return Object.keys(places)
    .filter((key) => key.startsWith(`${RouteParamtypes.BODY}:`))
    .flatMap((key) => textsOf(types[Number(key.split(':')[1])] ?? Object));
}

describe("The texts of the store's bodies", () => {
  let texts: Map<string, StringSpec>;
  beforeAll(() => {
    const routes = listRoutes(app.nest).filter(({ path }) => storePaths.test(path));
    texts = new Map(routes.flatMap(bodyTextsOf).map(({ name, spec }) => [name, spec]));
  });

  it('are all walked', () => {
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining(['UserCreate.bio', 'ProductUpdate.name', 'ShippingInfo.phone', 'CouponCreate.expires_at']),
    );
    expect(texts.size).toBeGreaterThan(40);
  });

  it('treat blank as absent when they may be null or have a default', () => {
    const optional = [...texts].filter(([, { nullable, default: one }]) => nullable === true || one !== undefined);
    expect(optional.length).toBeGreaterThan(20);
    expect(optional.filter(([, { blank }]) => blank !== 'none').map(([name]) => name)).toEqual([]);
  });

  it('refuse blank texts everywhere else', () => {
    const required = [...texts].filter(
      ([name, { blank }]) => blank !== 'none' && !proofs.some((proof) => name.startsWith(proof)),
    );
    expect(required.length).toBeGreaterThan(12);
    const takesBlanks = required.filter(([, spec]) => {
      const longest = ' '.repeat(Math.max(1, spec.minLength ?? 0));
      return faultOf('', spec) === null || faultOf(longest, spec) === null;
    });
    // Web addresses are checked by services (`link-preview`, `picture-import`, and below).
    // A password may be of blanks; which of password and code is needed depends on the account.
    const proven = ['Reauthentication.password', 'Reauthentication.totp_code'];
    // What a provider answers is compared as it is.
    const answered = ['state', 'code', 'iss', 'error', 'login_token'].map((field) => `OidcFinish.${field}`);
    const addresses = ['ImageImportRequest.url', 'WebhookCreate.url', 'WebhookUpdate.url'];
    // A view may be of the whole list.
    const queries = ['ShopViewCreate.query'];
    expect(takesBlanks.map(([name]) => name)).toEqual([
      ...addresses,
      ...queries,
      ...proven,
      ...answered,
      'DeviceFinish.login_token',
    ]);
  });
});

describe.each(blanks)('The text %j', (blank) => {
  const row = async (sql: string, id: unknown) => (await app.database.rows(sql, [id]))[0];

  it('counts as absent in a new account', async () => {
    const username = newUsername();
    const json = { username, email: `${username}@example.com`, password: 'correct horse 7', referral_code: blank };
    const none = { first_name: blank, last_name: blank, avatar_url: blank, bio: blank };
    expect((await app.api.post('/api/v1/auth/register', { json: { ...json, ...none } })).status).toBe(201);
    const sql = 'SELECT first_name, last_name, avatar_url, bio FROM users WHERE username = $1';
    expect(await row(sql, username)).toEqual({ first_name: null, last_name: null, avatar_url: null, bio: null });
  });

  it('empties a profile', async () => {
    const filled = { first_name: 'Ada', last_name: 'Miller', avatar_url: 'https://example.com/a.png', bio: 'Sews' };
    const { id, token } = await insertUser(app, filled);
    const json = Object.fromEntries(Object.keys(filled).map((field) => [field, blank]));
    expect((await app.api.put('/api/v1/users/me/profile', { token, json })).status).toBe(200);
    const sql = 'SELECT first_name, last_name, avatar_url, bio FROM users WHERE id = $1';
    expect(await row(sql, id)).toEqual({ first_name: null, last_name: null, avatar_url: null, bio: null });
  });

  it.each(['/api/v1/products/', '/api/v1/admin/products'])('counts as absent in a product by %s', async (path) => {
    const { token } = admin;
    const none = { description: blank, color: blank, material: blank, size: blank, image_url: blank };
    const stored = 'SELECT description, color, material, size, image_url FROM products WHERE id = $1';
    const nothing = { description: null, color: null, material: null, size: null, image_url: null };
    const json = { name: 'Plain', price: 1, stock: 1, ...none };
    const { status, body } = await app.api.post<{ id: number }>(path, { token, json });
    expect(status).toBe(201);
    expect(await row(stored, body.id)).toEqual(nothing);
    await app.database.rows(`UPDATE products SET description = 'x', color = 'x', size = 'x' WHERE id = $1`, [body.id]);
    const place = `${path.replace(/\/$/, '')}/${body.id}`;
    expect((await app.api.put(place, { token, json: none })).status).toBe(200);
    expect(await row(stored, body.id)).toEqual(nothing);
    expect((await app.api.put(place, { token, json: { name: blank } })).status).toBe(422);
    expect((await app.api.post(path, { token, json: { ...json, name: blank } })).status).toBe(422);
  });

  it('counts as absent in a review', async () => {
    const { token } = await insertUser(app);
    const json = { rating: 5, title: blank, content: blank, image_url: blank };
    const { status, body } = await app.api.post<{ id: number }>(`/api/v1/reviews/product/${product}`, { token, json });
    expect(status).toBe(201);
    const sql = 'SELECT title, content, image_url FROM reviews WHERE id = $1';
    expect(await row(sql, body.id)).toEqual({ title: null, content: null, image_url: null });
  });

  it("counts as absent in a testimonial's guest details, and is refused as its content", async () => {
    const { token } = user;
    const path = '/api/v1/testimonials/';
    const { body } = await app.api.post<{ id: number }>(path, { token, json: { content: 'Good' } });
    const json = { guest_name: blank, guest_role: blank, guest_avatar_url: blank };
    expect((await app.api.put(path + body.id, { json })).status).toBe(200);
    const sql = 'SELECT guest_name, guest_role, guest_avatar_url FROM testimonials WHERE id = $1';
    expect(await row(sql, body.id)).toEqual({ guest_name: null, guest_role: null, guest_avatar_url: null });
    expect((await app.api.post(path, { token, json: { content: blank } })).status).toBe(422);
    expect((await app.api.put(path + body.id, { json: { content: blank } })).status).toBe(422);
  });

  it('counts as absent in a checkout, and is refused when a parcel needs it', async () => {
    await fillCart(app, user, [product]);
    for (const field of ['first_name', 'last_name', 'address', 'city', 'zip_code']) {
      expect((await checkout(app.api, user, { shipping: { [field]: blank } })).status).toBe(422);
    }
    const { status, body } = await checkout(app.api, user, {
      coupon: blank,
      shipping: { phone: blank, country: blank, shipping_method: blank },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ coupon_code: null, shipping_phone: null, shipping_method: 'standard' });
    expect(body.shipping_country).toBe('United States');
  });

  it('is refused as the address of a webhook, and counts as absent as its secret', async () => {
    const { token } = admin;
    const path = '/api/v1/admin/webhooks';
    const json = { url: 'https://8.8.8.8/hook', events: ['order.paid'] };
    expect((await app.api.post(path, { token, json: { ...json, url: blank } })).status).toBe(422);
    const made = await app.api.post<{ id: string; secret: string }>(path, { token, json: { ...json, secret: blank } });
    expect([made.status, made.body.secret]).toEqual([201, expect.stringMatching(/^whsec_\S{32}/)]);
    const one = `${path}/${made.body.id}`;
    expect((await app.api.patch(one, { token, json: { url: blank } })).status).toBe(422);
    const turned = await app.api.post<{ secret: string }>(`${one}/rotate-secret`, { token, json: { secret: blank } });
    expect([turned.status, turned.body.secret]).toEqual([200, expect.stringMatching(/^whsec_\S{32}/)]);
    expect((await app.api.delete(one, { token })).status).toBe(204);
  });

  it('sets no end for a coupon', async () => {
    const { token } = admin;
    const json = { code: `BLANK-${blanks.indexOf(blank)}`, discount_percent: 5, max_uses: 1, expires_at: blank };
    const { status, body } = await app.api.post('/api/v1/admin/coupons', { token, json });
    expect([status, body]).toMatchObject([201, { expires_at: null }]);
  });
});

describe('A pasted code', () => {
  const pasted = (code: string) => ` \u00a0${code}\n`;

  it('is accepted without surrounding blanks: a coupon', async () => {
    await insertCoupon(app, 'PASTED');
    const validity = await app.api.get(`/api/v1/orders/coupons/validate?code=${encodeURIComponent(pasted('pasted'))}`);
    expect(validity.body).toMatchObject({ code: 'PASTED', is_valid: true });
    await fillCart(app, user, [product]);
    const json = { shipping, coupon_code: pasted('PASTED') };
    const order = await app.api.post<Order>('/api/v1/orders/checkout', { token: user.token, json });
    expect([order.status, order.body.coupon_code]).toEqual([201, 'PASTED']);
  });

  it('is stored without them: a coupon that an admin makes', async () => {
    const json = { code: pasted('spring-26'), discount_percent: 5, max_uses: 1 };
    const { status, body } = await app.api.post('/api/v1/admin/coupons', { token: admin.token, json });
    expect([status, body]).toMatchObject([201, { code: 'SPRING-26' }]);
  });

  it('is accepted without them: the codes of two-factor login', async () => {
    const { username, password, token } = await signUp(app);
    const { secret, recoveryCodes } = await enableTwoFactor(app, token);
    const verified = await app.api.post('/api/v1/totp/verify', { token, json: { token: pasted(codeOf(secret)) } });
    expect(verified.body).toEqual({ valid: true });
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const first = await app.api.post<{ temp_token: string }>('/api/v1/auth/login', { json: { username, password } });
      const json = { temp_token: pasted(first.body.temp_token), totp_code: pasted(code) };
      expect((await app.api.post('/api/v1/auth/login/totp', { json })).status).toBe(200);
    }
    const json = { token: pasted(recoveryCodes[1] ?? '') };
    expect((await app.api.post('/api/v1/totp/disable', { token, json })).status).toBe(200);
  });

  it('is accepted without them: the name of the referrer', async () => {
    const username = newUsername();
    const json = { username, email: `${username}@example.com`, password: 'correct horse 7' };
    const body = { ...json, referral_code: pasted(user.username) };
    expect((await app.api.post('/api/v1/auth/register', { json: body })).status).toBe(201);
  });
});

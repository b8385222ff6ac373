import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CouponInfo } from '../../../src/store/coupons/coupons.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { insertCoupon } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app));
});
afterAll(() => app.close());

const path = '/api/v1/admin/coupons';
const list = (query = '') => app.api.get<CouponInfo[]>(path + query, { token });
const create = (json: unknown) => app.api.post<CouponInfo>(path, { token, json });
const update = (id: number | string, json: unknown) => app.api.put<CouponInfo>(`${path}/${id}`, { token, json });
const remove = (id: number | string) => app.api.delete(`${path}/${id}`, { token });
const anyCoupon = { code: 'ANY-CODE', discount_percent: 10, max_uses: 5 };

describe('POST /api/v1/admin/coupons', () => {
  it('responds with 201 with the coupon, its code in capitals', async () => {
    const { status, body } = await create({ code: 'summer-15', discount_percent: 15.25, max_uses: 40 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      code: 'SUMMER-15',
      discount_percent: 15.25,
      max_uses: 40,
      current_uses: 0,
      expires_at: null,
      is_active: true,
      is_public: true,
    });
  });

  it.each([
    ['2031-05-01T10:00:00Z', '2031-05-01T10:00:00.000Z'],
    ['2031-05-01 10:00+00:00', '2031-05-01T10:00:00.000Z'],
    ['2031-05-01t10:00:00.250+02:00', '2031-05-01T08:00:00.250Z'],
    [null, null],
  ])('reads expires_at %j', async (expires_at, expected) => {
    const code = `END-${Math.random().toString(36).slice(2, 12)}`;
    const { body } = await create({ ...anyCoupon, code, expires_at, is_active: false, is_public: false });
    expect(body).toMatchObject({ expires_at: expected, is_active: false, is_public: false });
  });

  it('responds with 409 for a taken code, whatever its case', async () => {
    await insertCoupon(app, 'TAKEN');
    const { status, body } = await create({ ...anyCoupon, code: 'taken' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'coupon_code_taken' });
  });

  it('makes one coupon of two concurrent requests with the same code', async () => {
    const answers = await Promise.all(['TWICE', 'twice', 'Twice'].map((code) => create({ ...anyCoupon, code })));
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([201, 409, 409]);
  });

  it.each([
    [{ ...anyCoupon, code: 'AB' }, 'code', 'string_too_short'],
    [{ ...anyCoupon, code: 'A'.repeat(33) }, 'code', 'string_too_long'],
    [{ ...anyCoupon, code: 'TEN %' }, 'code', 'string_pattern_mismatch'],
    [{ ...anyCoupon, code: null }, 'code', 'string_type'],
    [{ ...anyCoupon, discount_percent: 0 }, 'discount_percent', 'greater_than'],
    [{ ...anyCoupon, discount_percent: 100.01 }, 'discount_percent', 'less_than_equal'],
    [{ ...anyCoupon, discount_percent: 0.001 }, 'discount_percent', 'decimal_max_places'],
    [{ ...anyCoupon, discount_percent: '10' }, 'discount_percent', 'float_type'],
    [{ ...anyCoupon, max_uses: 0 }, 'max_uses', 'greater_than_equal'],
    [{ ...anyCoupon, max_uses: 2_147_483_648 }, 'max_uses', 'less_than_equal'],
    [{ ...anyCoupon, expires_at: 'soon' }, 'expires_at', 'datetime_parsing'],
    [{ ...anyCoupon, expires_at: '2031-05-01T10:00:00' }, 'expires_at', 'timezone_aware'],
    [{ ...anyCoupon, expires_at: '2031-02-30T10:00:00Z' }, 'expires_at', 'datetime_parsing'],
    [{ ...anyCoupon, expires_at: '9999-12-31T23:59:59-10:00' }, 'expires_at', 'datetime_parsing'],
    [{ ...anyCoupon, expires_at: '0000-12-31T23:59:59Z' }, 'expires_at', 'datetime_parsing'],
    [{ ...anyCoupon, is_active: 'yes' }, 'is_active', 'bool_type'],
  ])('responds with 422 for %j', async (json, field, type) => {
    const { status, body } = await create(json);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field], type }] });
  });

  it('responds with 403 to a user and 401 to a stranger', async () => {
    const user = await insertUser(app);
    expect((await app.api.post(path, { token: user.token, json: anyCoupon })).status).toBe(403);
    expect((await app.api.post(path, { json: anyCoupon })).status).toBe(401);
  });
});

describe('GET /api/v1/admin/coupons', () => {
  it('returns all coupons by pages, newest first', async () => {
    await app.database.rows('DELETE FROM coupons');
    await insertCoupon(app, 'OLD', { isActive: false });
    await insertCoupon(app, 'MIDDLE', { isPublic: false });
    await insertCoupon(app, 'NEW');
    expect((await list()).body.map(({ code }) => code)).toEqual(['NEW', 'MIDDLE', 'OLD']);
    expect((await list('?skip=1&limit=1')).body.map(({ code }) => code)).toEqual(['MIDDLE']);
  });

  it('responds with 403 to a user', async () => {
    const user = await insertUser(app);
    expect((await app.api.get(path, { token: user.token })).status).toBe(403);
  });

  it('finds codes by a part of them, ignoring case, and takes % and _ as they are', async () => {
    for (const code of ['FIND-ME-1', 'FIND-ME-2']) await create({ ...anyCoupon, code });
    const found = async (search: string, more = '') => {
      const { body, headers } = await list(`?search=${encodeURIComponent(search)}${more}`);
      return [body.map(({ code }) => code), headers.get('x-total-count')];
    };
    expect(await found('find-me')).toEqual([['FIND-ME-2', 'FIND-ME-1'], '2']);
    expect(await found('find-me', '&limit=1')).toEqual([['FIND-ME-2'], '2']);
    expect(await found('find_me')).toEqual([[], '0']);
    expect(await found('%')).toEqual([[], '0']);
    expect((await list(`?search=${'x'.repeat(201)}`)).status).toBe(422);
  });
});

describe('PUT /api/v1/admin/coupons/{coupon_id}', () => {
  it('changes the given fields and leaves the rest', async () => {
    const id = await insertCoupon(app, 'CHANGING', { percent: 30, currentUses: 4, expiresAt: new Date() });
    const { status, body } = await update(id, {
      code: 'changed',
      max_uses: 9,
      is_active: false,
      discount_percent: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, code: 'CHANGED', discount_percent: 30, max_uses: 9, current_uses: 4 });
    expect(body).toMatchObject({ is_active: false, is_public: true, expires_at: expect.any(String) });
  });

  it('removes the end by null', async () => {
    const id = await insertCoupon(app, 'ENDLESS', { expiresAt: new Date() });
    expect((await update(id, { expires_at: null })).body.expires_at).toBeNull();
  });

  it('changes nothing for an empty body', async () => {
    const id = await insertCoupon(app, 'AS-IT-IS', { percent: 33 });
    expect((await update(id, {})).body).toMatchObject({ code: 'AS-IT-IS', discount_percent: 33 });
  });

  it('responds with 409 for a taken code', async () => {
    await insertCoupon(app, 'OTHER');
    const id = await insertCoupon(app, 'MINE');
    expect((await update(id, { code: 'other' })).status).toBe(409);
  });

  it.each(['0', '2147483647', '99999999999'])('responds with 404 for the unknown coupon %s', async (id) => {
    expect((await update(id, { max_uses: 2 })).status).toBe(404);
    expect((await update(id, {})).status).toBe(404);
  });

  it('responds with 422 for a value out of bounds', async () => {
    expect((await update(1, { max_uses: 0 })).status).toBe(422);
  });
});

describe('DELETE /api/v1/admin/coupons/{coupon_id}', () => {
  it('responds with 204, and 404 when it is done again', async () => {
    const id = await insertCoupon(app, 'LEAVING');
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
  });

  it('responds with 403 to a user', async () => {
    const user = await insertUser(app);
    const id = await insertCoupon(app, 'STAYING');
    expect((await app.api.delete(`${path}/${id}`, { token: user.token })).status).toBe(403);
  });
});

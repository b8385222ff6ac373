import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ask,
  type EphemeralService,
  signIn,
  startEphemeralService,
  testMode,
} from '../../support/ephemeral-service.js';
import { until } from '../../support/receiver.js';

let service: EphemeralService;
beforeAll(async () => {
  service = await startEphemeralService();
});
beforeEach(() => testMode(service, ['POST', '/reset']));
afterAll(() => service.stop());

const lastYear = '2025-05-06T07:08:09.000Z';

interface Made {
  id: string;
  username: string;
  email: string;
  password: string;
}

const makeUser = (user: object) => testMode<Made>(service, ['POST', '/users'], user);

describe('Rows in any state', () => {
  it('are accounts that are old, suspended, or have two-factor login', async () => {
    const { username, password } = await makeUser({ username: 'lucy', totp: true, created_at: lastYear });
    const first = await ask<{ temp_token?: string }>(service, ['POST', '/api/v1/auth/login'], {
      body: { username, password },
    });
    expect(first.body).toMatchObject({ access_token: null });
    const { code } = await testMode<{ code: string }>(service, ['POST', '/totp'], { username });
    const signed = await ask<{ access_token: string }>(service, ['POST', '/api/v1/auth/login/totp'], {
      body: { temp_token: first.body.temp_token, totp_code: code },
    });
    expect(signed.status).toBe(200);
    const me = await ask<{ created_at: string }>(service, ['GET', '/api/v1/auth/me'], {
      token: signed.body.access_token,
    });
    expect(me.body.created_at).toBe(lastYear);
    const suspended = await makeUser({ username: 'sue', suspended: true });
    const refused = await ask(service, ['POST', '/api/v1/auth/login'], { body: suspended });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it('are products and coupons', async () => {
    const product = await testMode<{ id: number }>(service, ['POST', '/products'], {
      name: 'Old lamp',
      price: 12.5,
      stock: 0,
      created_at: lastYear,
    });
    const { body } = await ask(service, ['GET', `/api/v1/products/${product.id}`]);
    expect(body).toMatchObject({ name: 'Old lamp', stock: 0, created_at: lastYear });
    const coupon = { code: 'GONE', discount_percent: 10, max_uses: 3 };
    await testMode(service, ['POST', '/coupons'], { ...coupon, current_uses: 3 });
    const check = () => ask<{ is_valid: boolean }>(service, ['GET', '/api/v1/orders/coupons/validate?code=GONE']);
    expect((await check()).body.is_valid).toBe(false);
    await testMode(service, ['POST', '/reset']);
    await testMode(service, ['POST', '/coupons'], { ...coupon, current_uses: 2 });
    expect((await check()).body.is_valid).toBe(true);
  });

  it('are orders that were delivered last year and paid', async () => {
    const { username, password } = await makeUser({ username: 'lucy' });
    const order = { username, status: 'delivered', items: [{ product_id: 1, quantity: 2 }], created_at: lastYear };
    const made = await testMode<{ id: number }>(service, ['POST', '/orders'], order);
    const { body: product } = await ask<{ price: number }>(service, ['GET', '/api/v1/products/1']);
    const { access_token: token } = await signIn(service, username, password);
    const { body } = await ask<{ id: number; status: string; total_price: number; created_at: string }[]>(
      service,
      ['GET', '/api/v1/orders'],
      { token },
    );
    expect(body).toMatchObject([
      { id: made.id, status: 'delivered', total_price: 2 * product.price, created_at: lastYear },
    ]);
  });

  it.each([
    ['/orders', { username: 'nobody-here', items: [{ product_id: 1 }] }],
    ['/orders', { username: 'demo', items: [{ product_id: 9_999_999 }] }],
    ['/orders', { username: 'demo', items: [] }],
    ['/users', { username: 'x' }],
    ['/users', { username: 'lucy', created_at: 'long ago' }],
    ['/products', { name: 'Lamp', price: -1, stock: 1 }],
    ['/coupons', { code: 'A', discount_percent: 300, max_uses: 1 }],
    ['/faults', { kind: 'weather', effect: 'fail' }],
    ['/totp', {}],
    ['/settle', { seconds: 0 }],
  ])('are refused to %p %p', async (path, body) => {
    expect((await ask(service, ['POST', `/test${path}`], { body })).status).toBe(422);
  });

  it('have no code without two-factor login, and no name twice', async () => {
    expect((await ask(service, ['POST', '/test/totp'], { body: { username: 'demo' } })).status).toBe(404);
    expect((await ask(service, ['POST', '/test/users'], { body: { username: 'demo' } })).status).toBe(409);
  });
});

describe('Mails', () => {
  it('are kept instead of sent, newest first, by address, until they are deleted', async () => {
    const { email } = await makeUser({ username: 'lucy' });
    const forgot = { email };
    await ask(service, ['POST', '/api/v1/auth/password/forgot'], { body: forgot });
    expect(await testMode(service, ['POST', '/settle'], { seconds: 120 })).toEqual({
      settled: true,
      waiting: 0,
      jobs: [],
    });
    const register = { username: 'later', email: 'later@example.com', password: 'correct-horse-7' };
    await ask(service, ['POST', '/api/v1/auth/register'], { body: register });
    await testMode(service, ['POST', '/settle'], { seconds: 120 });
    interface Mail {
      kind: string;
      to: { address: string };
      subject: string;
      text: string;
      html: string;
      links: string[];
    }
    const all = await testMode<Mail[]>(service, ['GET', '/mails']);
    expect(all.map(({ kind }) => kind)).toEqual(['welcome', 'password-reset']);
    const [mail] = await testMode<Mail[]>(service, ['GET', `/mails?to=${email.toUpperCase()}`]);
    expect(mail).toMatchObject({ to: { address: email }, links: [expect.stringContaining('token=')] });
    expect(mail?.text).toContain(mail?.links[0] ?? 'a link');
    await testMode(service, ['DELETE', '/mails']);
    expect(await testMode(service, ['GET', '/mails'])).toEqual([]);
  });

  it('that hang are told when they do not settle', async () => {
    await testMode(service, ['POST', '/faults'], { kind: 'mail', effect: 'hang', count: 1 });
    const { email } = await makeUser({ username: 'lucy' });
    await ask(service, ['POST', '/api/v1/auth/password/forgot'], { body: { email } });
    const faults = () => testMode<unknown[]>(service, ['GET', '/faults']);
    await until(async () => (await faults()).length === 0, 'the mail that hangs', 200);
    const { settled, jobs } = await testMode<{ settled: boolean; jobs: unknown[] }>(service, ['POST', '/settle'], {
      seconds: 1,
    });
    expect(settled).toBe(false);
    expect(jobs).toContainEqual({ task: 'mail', waiting: 0, in_hand: 1, last_error: null });
    await testMode(service, ['DELETE', '/faults']);
    expect(await testMode(service, ['POST', '/settle'], { seconds: 120 })).toMatchObject({ settled: true });
  });

  it('fail as often as asked, and are tried again', async () => {
    await testMode(service, ['POST', '/faults'], { kind: 'mail', effect: 'fail', count: 1 });
    const { email } = await makeUser({ username: 'lucy' });
    await ask(service, ['POST', '/api/v1/auth/password/forgot'], { body: { email } });
    const faults = () => testMode<unknown[]>(service, ['GET', '/faults']);
    await until(async () => (await faults()).length === 0, 'the attempt that fails', 200);
    await testMode(service, ['POST', '/clock'], { advance: 'PT5M' });
    const mails = () => testMode<unknown[]>(service, ['GET', `/mails?to=${email}`]);
    await until(async () => (await mails()).length === 1, 'the mail', 200);
  });
});

describe('Faults', () => {
  it('let the storage fail, and a reset ends them', async () => {
    const picture = (await ask<{ image_url: string }>(service, ['GET', '/api/v1/products/1'])).body.image_url;
    const status = async () => (await fetch(`${service.url}${picture}`)).status;
    await testMode(service, ['POST', '/faults'], { kind: 'storage', effect: 'fail', count: 100 });
    expect(await status()).toBe(503);
    await testMode(service, ['POST', '/reset']);
    expect(await status()).toBe(200);
  });

  it('let what hangs go on when they end', async () => {
    const picture = (await ask<{ image_url: string }>(service, ['GET', '/api/v1/products/1'])).body.image_url;
    await testMode(service, ['POST', '/faults'], { kind: 'storage', effect: 'hang', count: 1 });
    const hanging = fetch(`${service.url}${picture}`);
    const faults = () => testMode<unknown[]>(service, ['GET', '/faults']);
    await until(async () => (await faults()).length === 0, 'the call that hangs', 100);
    await testMode(service, ['DELETE', '/faults']);
    expect((await hanging).status).toBe(200);
  });
});

describe('The receiver of webhooks', () => {
  it('keeps what is signed, byte by byte', async () => {
    const { access_token: token } = await signIn(service, 'admin', service.adminPassword);
    const url = `${service.url}/test/webhooks/shop`;
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const made = await ask(service, ['POST', '/api/v1/admin/webhooks'], {
      token,
      body: { url, events: ['customer.created'], secret },
    });
    expect(made.status).toBe(201);
    const register = { username: 'hooked', email: 'hooked@example.com', password: 'correct-horse-7' };
    await ask(service, ['POST', '/api/v1/auth/register'], { body: register });
    interface Received {
      body: string;
      headers: Record<string, string>;
    }
    const received = () => testMode<Received[]>(service, ['GET', '/webhooks?name=shop']);
    await until(async () => (await received()).length > 0, 'the webhook', 200);
    const [{ body, headers } = { body: '', headers: {} }] = await received();
    expect(JSON.parse(body)).toMatchObject({ type: 'customer.created' });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', Buffer.alloc(24, 7)).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(await testMode(service, ['GET', '/webhooks?name=other'])).toEqual([]);
    await testMode(service, ['DELETE', '/webhooks']);
    expect(await received()).toEqual([]);
  });
});

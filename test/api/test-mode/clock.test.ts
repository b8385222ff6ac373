import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ask,
  type EphemeralService,
  signIn,
  startEphemeralService,
  testMode,
  type Tokens,
} from '../../support/ephemeral-service.js';
import { until } from '../../support/receiver.js';

const shopper = ['demo', 'demo-shopper-1'] as const;

let service: EphemeralService;
beforeAll(async () => {
  // The retry of a webhook is a day away.
  service = await startEphemeralService({ WEBHOOK_RETRY_SECONDS: '86400' });
});
beforeEach(() => testMode(service, ['POST', '/reset']));
afterAll(() => service.stop());

const advance = (by: string) => testMode<{ now: string }>(service, ['POST', '/clock'], { advance: by });
const settle = () => testMode<{ settled: boolean }>(service, ['POST', '/settle'], { seconds: 120 });
const me = (token: string) => ask(service, ['GET', '/api/v1/auth/me'], { token });

interface Mail {
  kind: string;
  links: string[];
}

describe('POST /test/clock', () => {
  it('turns the time of the service and of its database, and turns it back', async () => {
    const { now } = await advance('P365D');
    const year = new Date(now).getTime() - Date.now();
    expect(Math.abs(year - 365 * 86_400_000)).toBeLessThan(600_000);
    const username = 'clocked';
    await ask(service, ['POST', '/api/v1/auth/register'], {
      body: { username, email: 'clocked@example.com', password: 'correct-horse-7' },
    });
    const { body } = await ask<{ created_at: string }>(service, ['GET', '/api/v1/auth/me'], {
      token: (await signIn(service, username, 'correct-horse-7')).access_token,
    });
    expect(new Date(body.created_at).getTime()).toBeGreaterThanOrEqual(new Date(now).getTime() - 1);
    const back = await testMode<{ now: string; shift_seconds: number }>(service, ['DELETE', '/clock']);
    expect(back.shift_seconds).toBe(0);
    expect(Math.abs(new Date(back.now).getTime() - Date.now())).toBeLessThan(600_000);
  });

  it('takes a time, and adds durations to it', async () => {
    const turned = await testMode<{ now: string }>(service, ['POST', '/clock'], { now: '2031-05-06T07:08:09Z' });
    expect(turned.now).toMatch(/^2031-05-06T07:(08|09|1)/);
    expect((await advance('PT36H')).now).toMatch(/^2031-05-07T19:/);
    expect((await advance('-86400')).now).toMatch(/^2031-05-06T19:/);
  });

  it.each([{ advance: 'soon' }, { advance: '1', now: '2031-05-06T07:08:09Z' }, { now: 'today' }, { advance: 'P999Y' }])(
    'refuses %p',
    async (body) => {
      expect((await ask(service, ['POST', '/test/clock'], { body })).status).toBe(422);
    },
  );

  it('ends coupons', async () => {
    const path = '/api/v1/orders/coupons/validate?code=SEASON15';
    const isValid = async () => (await ask<{ is_valid: boolean }>(service, ['GET', path])).body.is_valid;
    expect(await isValid()).toBe(true);
    await advance('P1100D');
    expect(await isValid()).toBe(false);
  });

  it('ends access tokens', async () => {
    const { access_token } = await signIn(service, ...shopper);
    await advance('PT55M');
    expect((await me(access_token)).status).toBe(200);
    await advance('PT6M');
    expect((await me(access_token)).status).toBe(401);
  });

  it('ends refresh tokens', async () => {
    const first = await signIn(service, ...shopper);
    const refresh = (refresh_token: string) =>
      ask<Tokens>(service, ['POST', '/api/v1/auth/refresh'], { body: { refresh_token } });
    await advance('P29D');
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    await advance('P31D');
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
  });

  it('ends the links of mails', async () => {
    const ada = await testMode<{ email: string }>(service, ['POST', '/users'], { username: 'linked' });
    await ask(service, ['POST', '/api/v1/auth/password/forgot'], { body: { email: ada.email } });
    await settle();
    const mails = await testMode<Mail[]>(service, ['GET', `/mails?to=${ada.email}`]);
    const link = mails.find(({ kind }) => kind === 'password-reset')?.links[0] ?? '';
    const token = new URL(link).searchParams.get('token');
    await advance('P30D');
    const late = await ask(service, ['POST', '/api/v1/auth/password/reset'], {
      body: { token, new_password: 'correct-horse-8' },
    });
    expect([400, 409, 410, 422]).toContain(late.status);
    await testMode(service, ['DELETE', '/clock']);
    const inTime = await ask(service, ['POST', '/api/v1/auth/password/reset'], {
      body: { token, new_password: 'correct-horse-8' },
    });
    expect(inTime.status).toBe(200);
  });

  it('runs scheduled workflows', async () => {
    const { body } = await ask<{ data: { id: string; trigger: { type: string } }[] }>(
      service,
      ['GET', '/api/v1/workflows'],
      { key: service.apiKey },
    );
    const id = body.data.find(({ trigger }) => trigger.type === 'SCHEDULE')?.id ?? '';
    const path = `/api/v1/workflows/${id}`;
    const patched = await ask(service, ['PATCH', path], { key: service.apiKey, body: { enabled: true } });
    expect(patched.status).toBe(200);
    const runs = async () =>
      (await ask<{ data: unknown[] }>(service, ['GET', `${path}/runs`], { key: service.apiKey })).body.data.length;
    await settle();
    const before = await runs();
    await advance('P8D');
    await until(async () => (await runs()) > before, 'the run of the schedule', 200);
  });

  it('makes the retries of webhooks due', async () => {
    const { access_token: token } = await signIn(service, 'admin', service.adminPassword);
    await testMode(service, ['POST', '/faults'], { kind: 'webhook', effect: 'fail', count: 2 });
    const url = `${service.url}/test/webhooks/shop`;
    const made = await ask(service, ['POST', '/api/v1/admin/webhooks'], {
      token,
      body: { url, events: ['customer.created'] },
    });
    expect(made.status).toBe(201);
    const received = () => testMode<unknown[]>(service, ['GET', '/webhooks?name=shop']);
    await ask(service, ['POST', '/api/v1/auth/register'], {
      body: { username: 'hooked', email: 'hooked@example.com', password: 'correct-horse-7' },
    });
    const faults = () => testMode<unknown[]>(service, ['GET', '/faults']);
    await until(async () => (await faults()).length === 0, 'the attempt that fails', 200);
    await settle();
    expect(await received()).toEqual([]);
    await advance('P2D');
    await until(async () => (await received()).length === 1, 'the retry', 200);
  });

  it('removes what is kept for a while, and a reset brings it back', async () => {
    const { access_token } = await signIn(service, ...shopper);
    const lines = async (token: string) =>
      (await ask<{ items: unknown[] }>(service, ['GET', '/api/v1/cart'], { token })).body.items.length;
    const events = async () =>
      (await ask<{ data: unknown[] }>(service, ['GET', '/api/v1/events'], { key: service.apiKey })).body.data.length;
    expect([(await lines(access_token)) > 0, (await events()) > 0]).toEqual([true, true]);
    await advance('P800D');
    await until(async () => (await events()) === 0, 'the end of the events', 200);
    const isEmpty = async () => (await lines((await signIn(service, ...shopper)).access_token)) === 0;
    await until(isEmpty, 'the end of the cart', 200);
    await testMode(service, ['POST', '/reset']);
    expect([await isEmpty(), (await events()) > 0]).toEqual([false, true]);
  });
});

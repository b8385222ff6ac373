import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PageReads } from '../../src/platform/cache/page-reads.js';
import { insertAdmin, signUp } from '../support/accounts.js';
import '../support/built-service.js';
import { insertProduct } from '../support/goods.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: { STOREFRONT: 'true', TRUST_PROXY: 'loopback', RESPONSE_CACHE_MB: '16' } });
});
afterAll(async () => {
  await app?.close();
});

const visitor = { accept: 'text/html', 'accept-language': 'en', 'x-forwarded-for': '203.0.113.7' };
const see = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.baseUrl + path, { redirect: 'manual', headers: { ...visitor, ...headers } });
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(app.baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...visitor, origin: app.baseUrl, ...headers },
    body: new URLSearchParams(fields),
  });
const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');

describe('The shop front at the service', () => {
  it('leaves the addresses of the service alone', async () => {
    expect((await see('/api/v1/products/?limit=1')).headers.get('content-type')).toContain('json');
    expect((await see('/api/v1/nothing')).headers.get('content-type')).toContain('json');
    expect((await see('/health')).headers.get('content-type')).toContain('json');
    expect((await see('/openapi.json')).status).toBe(200);
    expect((await see('/console/')).status).toBe(200);
    const link = await see('/account/confirm?token=none');
    expect([link.status, link.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining('sha256-'),
    ]);
    expect((await post('/api/v1/auth/login', { username: 'x', password: 'y' })).status).toBe(415);
    expect((await fetch(`${app.baseUrl}/cart`, { method: 'DELETE' })).status).toBe(404);
  });

  it('takes forms of its own pages, and none of others', async () => {
    const taken = await post('/cart?/set', { product_id: '1', quantity: '0' });
    expect([taken.status, taken.headers.get('location')]).toEqual([303, '/cart']);
    const foreign = await post(
      '/cart?/set',
      { product_id: '1', quantity: '0' },
      { origin: 'https://elsewhere.example' },
    );
    expect(foreign.status).toBe(403);
  });

  it('answers each look anew, with a policy whose nonce its scripts carry', async () => {
    const page = await see('/cart');
    const policy = page.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(nonce).not.toBe('');
    expect(await page.text()).toContain(`nonce="${nonce}"`);
    expect(policy).not.toMatch(/unsafe-(inline|eval)/);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    const etag = page.headers.get('etag') ?? '"none"';
    expect((await see('/cart', { 'if-none-match': etag })).status).toBe(200);
  });

  it('asks for a login where a page is personal', async () => {
    for (const path of ['/checkout', '/account', '/account/security', '/orders/1', '/account/export']) {
      const answer = await see(path);
      expect([path, answer.status]).toEqual([path, 303]);
      expect(answer.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`);
    }
  });

  it('leads nobody to another shop after a login', async () => {
    const { username, password } = await signUp(app);
    for (const next of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'javascript:1']) {
      const answer = await post('/login', { username, password, next });
      expect([next, answer.status, answer.headers.get('location')]).toEqual([next, 303, '/account']);
    }
  });

  it("makes its calls from the visitor's address and device, with cookies that no script can read", async () => {
    const { username, password } = await signUp(app);
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const answer = await post('/login', { username, password }, headers);
    const set = answer.headers.getSetCookie();
    expect(set.filter((cookie) => /^shop_(access|refresh)=/.test(cookie))).toHaveLength(2);
    for (const cookie of set) expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/i);
    const token = /^shop_access=(.*)$/m.exec(cookiesOf(answer).join('\n'))?.[1] ?? '';
    const { body } = await app.api.get<{ address: string; device: string; current: boolean }[]>(
      '/api/v1/users/me/sessions',
      { token },
    );
    const session = body.find(({ current }) => current);
    expect(session).toMatchObject({ address: '203.0.113.7', device: expect.stringContaining('Firefox') });
  });

  it('counts wrong passwords for the visitor who typed them', async () => {
    const { username, password } = await signUp(app);
    const from = (address: string, typed: string) =>
      post('/login', { username, password: typed }, { 'x-forwarded-for': address });
    const wrong = async () => (await from('198.51.100.9', 'not it at all')).status;
    let status = await wrong();
    for (let tries = 0; status === 401 && tries < 100; tries++) status = await wrong();
    expect(status).toBe(429);
    expect((await from('198.51.100.77', 'not it either')).status).toBe(401);
    expect((await from('198.51.100.77', password)).status).toBe(303);
  });

  it('renews a session once for pages that open at once', async () => {
    const { username, password } = await signUp(app);
    const signedIn = cookiesOf(await post('/login', { username, password }));
    const cookie = signedIn.filter((one) => !one.startsWith('shop_access=')).join('; ');
    const pages = await Promise.all([see('/account', { cookie }), see('/account/orders', { cookie })]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const renewed = pages.map((page) => cookiesOf(page).find((one) => one.startsWith('shop_refresh=')));
    expect(new Set(renewed).size).toBe(1);
    expect(signedIn).not.toContain(renewed[0]);
  });

  it('tells customers what left their cart because nobody sells it any more, and nothing of what they took out elsewhere', async () => {
    const [kettle, cup] = [await insertProduct(app, { name: 'Kettle' }), await insertProduct(app, { name: 'Cup' })];
    const { username, password, token } = await signUp(app);
    let jar = cookiesOf(await post('/login', { username, password }));
    /** As a browser does: what is set anew takes the place of what was. */
    const kept = (answer: Response): Response => {
      const names = new Map([...jar, ...cookiesOf(answer)].map((cookie) => [cookie.split('=')[0], cookie]));
      jar = [...names.values()];
      return answer;
    };
    const cookie = () => ({ cookie: jar.join('; ') });
    for (const id of [kettle, cup]) {
      kept(await post('/cart?/add', { product_id: String(id), quantity: '1' }, cookie()));
    }
    const shown = async () => kept(await see('/cart', cookie())).text();
    expect(await shown()).not.toContain('not sold any more');
    const { body: cart } = await app.api.get<{ items: { id: number; product_id: number }[] }>('/api/v1/cart/', {
      token,
    });
    const line = cart.items.find(({ product_id }) => product_id === cup)?.id;
    await app.api.delete(`/api/v1/cart/items/${line}`, { token });
    expect(await shown()).not.toContain('not sold any more');
    await app.api.delete(`/api/v1/admin/products/${kettle}`, { token: (await insertAdmin(app)).token });
    expect(await shown()).toContain('not sold any more');
    expect(await shown()).not.toContain('not sold any more');
  });

  it('shows a product without a slug by its number', async () => {
    const id = await insertProduct(app, { name: 'Nameless mug' });
    await app.database.rows('UPDATE products SET slug = NULL WHERE id = $1', [id]);
    const page = await see(`/p/${id}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Nameless mug')]);
    expect((await see('/p/999999')).status).toBe(404);
  });

  it('forgets a session that has ended, and goes on as a guest', async () => {
    const cookie = 'shop_refresh=no-such-token';
    const answer = await see('/cart', { cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join('\n')).toMatch(/^shop_refresh=;.*Max-Age=0/m);
  });
});

describe('A page that shows nothing of its visitor', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Counts the pages that are made from now on. */
  const countMade = () => jest.spyOn(app.nest.get(PageReads), 'during');
  const nonceOf = (answer: Response) =>
    /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];

  async function create(name: string): Promise<{ id: number; path: string }> {
    const { body } = await app.api.post<{ id: number }>('/api/v1/products/', { json: { name, price: 12.5, stock: 3 } });
    const { body: made } = await app.api.get<{ slug: string }>(`/api/v1/products/${body.id}`);
    return { id: body.id, path: `/p/${made.slug}` };
  }

  it('is kept until what it shows changes, and shows that at the next look', async () => {
    const { id, path } = await create('Kept Lamp');
    const made = countMade();
    expect(await (await see(path)).text()).toContain('$12.50');
    expect(await (await see(path)).text()).toContain('$12.50');
    expect(made).toHaveBeenCalledTimes(1);
    expect((await app.api.put(`/api/v1/products/${id}`, { json: { price: 8.75 } })).status).toBe(200);
    const changed = await (await see(path)).text();
    expect(changed).toContain('$8.75');
    expect(changed).not.toContain('$12.50');
    await see('/');
    const { path: newest } = await create('Newest Lamp');
    expect(await (await see('/')).text()).toContain(`href="${newest}"`);
    made.mockClear();
    await see('/');
    expect(made).not.toHaveBeenCalled();
  });

  it('is made once for many who ask at once', async () => {
    const { path } = await create('Wanted Lamp');
    const made = countMade();
    const pages = await Promise.all(Array.from({ length: 12 }, () => see(path)));
    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('has a nonce of its own for each visitor, which its scripts carry', async () => {
    const { path } = await create('Secret Lamp');
    const [first, second] = [await see(path), await see(path)];
    expect(nonceOf(first)).toMatch(/^[\w+/]{22}==$/);
    expect(nonceOf(second)).not.toBe(nonceOf(first));
    const text = await second.text();
    expect(text).toContain(`nonce="${nonceOf(second)}"`);
    expect(text).not.toContain(`nonce="${nonceOf(first)}"`);
  });

  it('is another one in another language and for whoever has a cart', async () => {
    const { id, path } = await create('Foreign Lamp');
    await see(path);
    const german = await (await see(path, { 'accept-language': 'de' })).text();
    expect(german).toContain('<html lang="de"');
    const made = countMade();
    const cart = await see(path, { cookie: `shop_cart=${id}.2; shop_cart_count=2` });
    expect(await cart.text()).toContain('aria-label="Cart, 2 items"');
    expect(cart.headers.get('cache-control')).toBe('private, no-cache');
    expect(made).not.toHaveBeenCalled();
    expect(await (await see(path)).text()).toContain('aria-label="Cart, empty"');
  });

  it('is one for all who bring other cookies than those of the shop, and one for all who chose alike', async () => {
    const { path } = await create('Common Lamp');
    await see(path);
    const made = countMade();
    for (const cookie of [
      '_ga=GA1.1.5; consent=yes',
      'Language=de; SHOP_cart=1.1; Theme=dark',
      '=1; ;;; shop; a=b=c',
    ]) {
      const answer = await see(path, { cookie });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=30');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(made).not.toHaveBeenCalled();
    for (const n of [1, 2]) {
      const answer = await see(path, { cookie: `theme=dark; _ga=${n}` });
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(await answer.text()).toContain('data-theme="dark"');
    }
    expect(made).toHaveBeenCalledTimes(1);
  });

  it("never shows a visitor another's cart, name, language or looks", async () => {
    const { id, path } = await create('Discreet Lamp');
    const { username, password } = await signUp(app);
    const signedIn = cookiesOf(await post('/login', { username, password })).join('; ');
    const visitors = [
      { cookie: '', cart: 'Cart, empty' },
      { cookie: '_ga=1; name=Ada', cart: 'Cart, empty' },
      { cookie: 'language=de', language: 'de', cart: 'Warenkorb, leer' },
      { cookie: 'theme=dark', theme: 'dark', cart: 'Cart, empty' },
      { cookie: 'theme=light; language=de; _ga=2', theme: 'light', language: 'de', cart: 'Warenkorb, leer' },
      { cookie: 'theme=none; language=fr', cart: 'Cart, empty' },
      { cookie: `shop_cart=${id}.2; shop_cart_count=2`, cart: 'Cart, 2 items' },
      { cookie: `language=de; shop_cart=${id}.3; shop_cart_count=3`, language: 'de', cart: 'Warenkorb, 3 Artikel' },
      { cookie: signedIn, cart: 'Cart, empty', isSignedIn: true },
    ];
    const look = async (one: (typeof visitors)[number], address: string) => {
      const { cookie, cart, language = 'en', theme = 'system', isSignedIn = false } = one;
      const html = await (await see(address, { cookie })).text();
      expect(html).toContain(`<html lang="${language}" data-theme="${theme}"`);
      expect([cookie, /aria-label="((?:Cart|Warenkorb),[^"]*)"/.exec(html)?.[1]]).toEqual([cookie, cart]);
      expect([cookie, html.includes('href="/account"')]).toEqual([cookie, isSignedIn]);
      const data = await (await see(`${address}/__data.json`.replace('//', '/'), { cookie })).text();
      const { nodes } = JSON.parse(data) as { nodes: { data: unknown[] }[] };
      const [keys, ...values] = nodes[0]?.data as [Record<string, number>, ...unknown[]];
      const read = (name: string) => values[(keys[name] ?? 0) - 1];
      expect([cookie, read('language'), read('theme'), read('customer') === null, read('cartCount')]).toEqual([
        cookie,
        language,
        theme,
        !isSignedIn,
        Number(/\d+/.exec(cart)?.[0] ?? 0),
      ]);
    };
    // In this order, in the other one, and all at once: whoever comes first has the page made that others may get.
    const addresses = ['/', '/search', path];
    for (const one of [...visitors, ...visitors.toReversed()]) {
      for (const address of addresses) await look(one, address);
    }
    await app.api.put(`/api/v1/products/${id}`, { json: { price: 8.75 } });
    await Promise.all(visitors.flatMap((one) => addresses.map((address) => look(one, address))));
  });

  it('has data for scripts that are kept likewise, by the parts that are asked for', async () => {
    const dataOf = async (path: string, parts: string) =>
      (await see(`${path}/__data.json?x-sveltekit-invalidated=${parts}`)).text();
    const { id, path } = await create('Lively Lamp');
    const made = countMade();
    const whole = await dataOf(path, '11');
    expect(await dataOf(path, '11')).toBe(whole);
    expect(made).toHaveBeenCalledTimes(1);
    const part = await dataOf(path, '01');
    expect([part.length < whole.length, made.mock.calls.length]).toEqual([true, 2]);
    expect(part).toContain('12.5');
    await app.api.put(`/api/v1/products/${id}`, { json: { price: 8.75 } });
    expect(await dataOf(path, '01')).toContain('8.75');
    expect(await (await see(path)).text()).toContain('$8.75');
  });

  it('has data that are made anew where they say of an error, which has no status of its own', async () => {
    const made = countMade();
    for (let looks = 1; looks <= 2; looks++) {
      const answer = await see('/p/no-such-lamp/__data.json?x-sveltekit-invalidated=01');
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"error"')]);
      expect(made).toHaveBeenCalledTimes(looks);
    }
  });

  it('goes compressed to browsers that take that, unlike pages with secrets', async () => {
    const codingOf = async (path: string, accepted: string) =>
      (await see(path, { 'accept-encoding': accepted })).headers.get('content-encoding');
    expect(await codingOf('/search', 'br, gzip')).toBe('gzip');
    expect(await codingOf('/search', 'gzip;q=0')).toBeNull();
    expect(await codingOf('/search', 'identity')).toBeNull();
    expect(await codingOf('/login', 'gzip')).toBeNull();
  });
});

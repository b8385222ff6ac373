import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newProviderUser } from '../api/oidc/oidc-scene.js';
import { signUp } from '../support/accounts.js';
import '../support/built-service.js';
import { insertProduct } from '../support/goods.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../support/one-time-codes.js';
import { OidcServer } from '../support/oidc-server.js';
import { beginSession } from '../support/sessions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let provider: OidcServer;
let app: TestApp;
beforeAll(async () => {
  provider = await OidcServer.start();
  app = await startTestApp({ env: { ...provider.env, STOREFRONT: 'true', ADMIN_TOTP: 'required' } });
  provider.register(app.baseUrl);
});
afterAll(async () => {
  await app?.close();
  await provider?.close();
});

/** A browser without scripts, as far as cookies and redirects go. */
class Visitor {
  private readonly jar = new Map<string, string>();

  async see(path: string, form?: Record<string, string>): Promise<Response> {
    const headers = { accept: 'text/html', 'accept-language': 'en', origin: app.baseUrl, cookie: this.cookie };
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(new URL(path, app.baseUrl), { redirect: 'manual', headers, ...sent });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set)?.slice(1) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return answer;
  }

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Follows the way to the provider and back as its user, and returns where it ends. */
  async signIn(sub: string, next = '/account'): Promise<string> {
    const away = (await this.see(`/login/provider?next=${encodeURIComponent(next)}`)).headers.get('location') ?? '';
    const answered = await provider.visit(away, sub);
    const back = (await this.see(answered.pathname + answered.search)).headers.get('location') ?? '';
    return (await this.see(back)).headers.get('location') ?? '';
  }
}

describe('Signing in to the shop front with the provider', () => {
  it('leads there from the login, without scripts, and back to the page that was asked for', async () => {
    const visitor = new Visitor();
    const login = await (await visitor.see('/login?next=%2Faccount%2Fsecurity')).text();
    expect(login).toContain('Sign in with Example Login');
    expect(login).toContain('href="/login/provider?next=%2Faccount%2Fsecurity"');
    const user = newProviderUser(provider);
    expect(await visitor.signIn(user.sub, '/account/security')).toBe('/account/security');
    const account = await visitor.see('/account');
    expect([account.status, await account.text()]).toEqual([
      200,
      expect.stringContaining(user.preferred_username ?? ''),
    ]);
    expect(visitor.cookie).not.toContain('shop_provider');
  });

  it('takes along what was put into the cart before', async () => {
    const id = await insertProduct(app, { name: 'Blue kettle' });
    const visitor = new Visitor();
    await visitor.see('/cart?/add', { product_id: String(id), quantity: '2' });
    expect(await visitor.signIn(newProviderUser(provider).sub, '/cart')).toBe('/cart');
    expect(await (await visitor.see('/cart')).text()).toContain('Blue kettle');
  });

  it('asks an admin for their code, as the provider took one factor alone, and takes the cart along then', async () => {
    const user = newProviderUser(provider, { groups: ['shop-admins'] });
    const username = user.preferred_username ?? '';
    await new Visitor().signIn(user.sub);
    const [row] = await app.database.rows<{ id: string }>('SELECT id FROM users WHERE username = $1', [username]);
    const owner = { ...user, email: user.email ?? '', id: row?.id ?? '', username, token: '' };
    const { secret } = await enableTwoFactor(app, (await beginSession(app, owner, 'Telephone')).access);
    await app.database.rows('UPDATE users SET totp_last_step = 0 WHERE id = $1', [owner.id]);
    const visitor = new Visitor();
    const id = await insertProduct(app, { name: 'Red kettle' });
    await visitor.see('/cart?/add', { product_id: String(id), quantity: '1' });
    const asks = await visitor.signIn(user.sub, '/cart');
    expect(asks).toBe('/login/code?next=%2Fcart');
    expect((await visitor.see('/account')).headers.get('location')).toContain('/login?');
    const wrong = await visitor.see(asks, { code: wrongCodeOf(secret), next: '/cart' });
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('code')]);
    const right = await visitor.see(asks, { code: codeOf(secret), next: '/cart' });
    expect([right.status, right.headers.get('location')]).toEqual([303, '/cart']);
    expect(await (await visitor.see('/cart')).text()).toContain('Red kettle');
  });

  it('leads nobody to another shop', async () => {
    for (const next of ['https://elsewhere.example/', '//elsewhere.example', `/${'x'.repeat(600)}`]) {
      expect(await new Visitor().signIn(newProviderUser(provider).sub, next)).toBe('/account');
    }
  });

  it('signs nobody in by an answer that another browser asked for', async () => {
    const [one, other] = [new Visitor(), new Visitor()];
    const away = (await one.see('/login/provider')).headers.get('location') ?? '';
    const answered = await provider.visit(away, newProviderUser(provider).sub);
    const back = (await other.see(answered.pathname + answered.search)).headers.get('location') ?? '';
    const end = (await other.see(back)).headers.get('location') ?? '';
    expect(end).toContain('reason=provider-failed');
    expect(await (await other.see(end)).text()).toContain('was begun elsewhere');
    await other.see('/login/provider');
    expect((await other.see(back)).headers.get('location')).toContain('reason=provider-failed');
  });

  it('says why the sign-in was refused', async () => {
    const { email } = await signUp(app);
    const visitor = new Visitor();
    const end = await visitor.signIn(newProviderUser(provider, { email }).sub);
    expect(await (await visitor.see(end)).text()).toContain('An account with your e-mail address is there already');
  });
});

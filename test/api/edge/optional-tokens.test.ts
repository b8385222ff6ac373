import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes, type Route } from '../../../src/platform/auth/route-list.js';
import { Secrets } from '../../../src/config/secrets.js';
import { type Account, insertUser, signUp } from '../../support/accounts.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { checkout } from '../../support/checkout.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const policies = ['contract', 'hardened'] as const;
type Policy = (typeof policies)[number];

/** The service under a policy, with somebody whose token can be spoilt, and all operations that are open under `contract`. */
interface Scene {
  app: TestApp;
  maria: Account;
  revoked: string;
  routes: Route[];
}

const scenes = {} as Record<Policy, Scene>;
beforeAll(async () => {
  for (const policy of policies) {
    const app = await startTestApp({ env: { ACCESS_POLICY: policy } });
    const [maria, { token: revoked }] = [await signUp(app), await signUp(app)];
    await app.api.delete('/api/v1/users/me/profile', { token: revoked });
    const routes = listRoutes(app.nest).filter(({ access }) => access?.contract === 'optional');
    scenes[policy] = { app, maria, revoked, routes };
  }
});
afterAll(() => Promise.all(policies.map((policy) => scenes[policy].app.close())));

/** A token of the account that expired a minute ago. */
function expired({ app, maria }: Scene): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [header, claims] = maria.token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const past = { ...(JSON.parse(claims ?? '') as object), exp: Math.floor(Date.now() / 1000) - 60 };
  const signed = `${encode(JSON.parse(header ?? '') as object)}.${encode(past)}`;
  const key = app.nest.get(Secrets).jwtSecret;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** The address of a route with things that exist, made anew for each call, and a body that it takes. */
async function callOf({ app, maria }: Scene, { path }: Route): Promise<{ address: string; json: object }> {
  const { token } = await insertUser(app);
  const said = { content: 'Well made.', rating: 5 };
  const made =
    path.includes('testimonial') &&
    (await app.api.post<{ id: number }>('/api/v1/testimonials/', { json: said, token }));
  const testimonial = made ? made.body.id : 0;
  const product = await insertProduct(app, { stock: 5 });
  const order = path.includes('order') ? await orderOf(app, maria) : 0;
  const address = path
    .replace(':user_uuid', maria.id)
    .replace(':testimonial_id', String(testimonial))
    .replace(':product_id', String(product))
    .replace(':order_id', String(order));
  return { address, json: { name: 'Shirt', price: 2, stock: 1, content: 'Well made indeed.' } };
}

async function orderOf(app: TestApp, user: Account): Promise<number> {
  await fillCart(app, user, [await insertProduct(app)]);
  return (await checkout(app.api, user)).body.id;
}

/** What a call of each route with these headers gets: statuses, codes, challenges. */
async function answersOfAll(scene: Scene, headers: Record<string, string>) {
  const answers = [];
  for (const route of scene.routes) {
    const { address, json } = await callOf(scene, route);
    const body = ['POST', 'PUT'].includes(route.method) ? { json } : {};
    const answer = await scene.app.api.send<{ code?: string } | null>(route.method, address, { ...body, headers });
    const challenge = answer.headers.get('www-authenticate');
    answers.push({ route: route.handler, status: answer.status, code: answer.body?.code, challenge });
  }
  return answers;
}

const badTokens: [what: string, token: (scene: Scene) => string, code: string][] = [
  ['an expired token', expired, 'token_expired'],
  ['a broken token', () => 'not.a.token', 'token_invalid'],
  ['half a token', ({ maria }) => maria.token.slice(0, -9), 'token_invalid'],
  ['no token behind "Bearer"', () => '', 'token_invalid'],
  ['the token of an account that is gone', ({ revoked }) => revoked, 'token_revoked'],
];
const challenge = 'Bearer error="invalid_token"';

describe('Every operation that is open to all and knows who is signed in', () => {
  it('is there', () => expect(scenes.contract.routes.length).toBeGreaterThanOrEqual(6));

  it.each(badTokens)('takes %s for none, and says so beside the response that anybody gets', async (_, token) => {
    const anybodys = await answersOfAll(scenes.contract, {});
    expect(anybodys.map(({ status }) => status < 300)).toEqual(anybodys.map(() => true));
    const answers = await answersOfAll(scenes.contract, { authorization: `Bearer ${token(scenes.contract)}` });
    expect(answers).toEqual(anybodys.map((answer) => ({ ...answer, challenge })));
  });

  it.each(badTokens)('responds with 401 to %s under hardened', async (_, token, code) => {
    const answers = await answersOfAll(scenes.hardened, { authorization: `Bearer ${token(scenes.hardened)}` });
    expect(answers).toEqual(answers.map(({ route }) => ({ route, status: 401, code, challenge })));
  });

  it.each(['Basic bWFyaWE6c2VjcmV0', 'Key abc'])(
    'treats "%s", which is not a token, as anonymous',
    async (authorization) => {
      expect(await answersOfAll(scenes.contract, { authorization })).toEqual(await answersOfAll(scenes.contract, {}));
    },
  );

  it('says nothing of a token that is valid', async () => {
    const answers = await answersOfAll(scenes.contract, { authorization: `Bearer ${scenes.contract.maria.token}` });
    expect(answers.map((answer) => answer.challenge)).toEqual(answers.map(() => null));
  });

  it('is described with that header, and with 401 under hardened alone', async () => {
    for (const policy of policies) {
      const { app, routes } = scenes[policy];
      const { body } = await app.api.get<Described>('/openapi.json');
      for (const { method, path } of routes) {
        const { responses } = body.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? { responses: {} };
        const good = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
        const isOpen = policy === 'contract';
        expect([path, 'WWW-Authenticate' in (responses[good]?.headers ?? {})]).toEqual([path, isOpen]);
        expect([path, '401' in responses]).toEqual([path, !isOpen]);
      }
    }
  });
});

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>;
}

describe('GET /api/v1/orders/{order_id} under contract', () => {
  it('hides the shipping details from an owner whose token has expired', async () => {
    const { app, maria } = scenes.contract;
    const id = await orderOf(app, maria);
    const read = (token: string) => app.api.get<{ shipping_address: string | null }>(`/api/v1/orders/${id}`, { token });
    expect((await read(maria.token)).body.shipping_address).toEqual(expect.any(String));
    expect((await read(expired(scenes.contract))).body.shipping_address).toBeNull();
  });
});

describe('GET /api/v1/auth/me', () => {
  it.each([
    ['unauthenticated', undefined],
    ['token_expired', () => expired(scenes.contract)],
    ['token_invalid', () => 'x'],
    ['token_revoked', () => scenes.contract.revoked],
  ])('responds with 401 with the code %s', async (code, token) => {
    const answer = await scenes.contract.app.api.get('/api/v1/auth/me', { token: token?.() });
    expect(answer).toMatchObject({ status: 401, body: { code } });
  });
});

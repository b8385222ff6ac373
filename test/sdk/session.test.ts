import { describe, expect, it, jest } from '@jest/globals';
import {
  createStoreClient,
  onUploadProgress,
  type RefreshTokenStorage,
  StoreApiError,
} from '../../packages/sdk/src/index.js';
import { answer, FakeService } from './fake-service.js';

const baseUrl = 'http://shop.test';
const me = '/api/v1/auth/me';
const expired = answer(401, { detail: 'The access token has expired', code: 'token_expired' });

function tokens(count: number): Response {
  return answer(200, { access_token: `access-${count}`, refresh_token: `refresh-${count}`, token_type: 'bearer' });
}

/** Accepts one access token at a time. */
function onlyFor(token: string) {
  return (request: Request) =>
    request.headers.get('authorization') === `Bearer ${token}` ? answer(200, { id: 1 }) : expired.clone();
}

function storageOf(token: string | null): RefreshTokenStorage & { token: string | null } {
  return {
    token,
    get() {
      return this.token;
    },
    set(next) {
      this.token = next;
    },
  };
}

const login = { body: { username: 'grace', password: 'correct-horse-7' } };

describe('The session of the SDK', () => {
  it('keeps the tokens of a login, and sends the access token with later calls', async () => {
    const service = new FakeService({ '/api/v1/auth/login': [tokens(1)], [me]: [onlyFor('access-1')] });
    const store = createStoreClient({ baseUrl, fetch: service.fetch });
    await store.auth.login(login);
    await expect(store.auth.me()).resolves.toMatchObject({ data: { id: 1 } });
    await expect(store.accessToken()).resolves.toBe('access-1');
  });

  it('renews the access token once for many waiting calls, and repeats each of them', async () => {
    const service = new FakeService({
      '/api/v1/auth/login': [tokens(1)],
      '/api/v1/auth/refresh': [tokens(2)],
      [me]: [onlyFor('access-2')],
    });
    const storage = storageOf(null);
    const store = createStoreClient({ baseUrl, fetch: service.fetch, session: storage });
    await store.auth.login(login);
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.auth.me()));
    expect(answers).toHaveLength(20);
    expect(service.count('/api/v1/auth/refresh')).toBe(1);
    expect(service.count(me)).toBe(40);
    expect(storage.token).toBe('refresh-2');
  });

  describe('whose token the service no longer takes, where anybody may call', () => {
    const order = '/api/v1/orders/1';
    const product = '/api/v1/products/1';
    const invalid = { 'www-authenticate': 'Bearer error="invalid_token"' };
    /** Returns all to the owner of one token, and less to anybody else. */
    const openTo = (token: string) => (request: Request) =>
      request.headers.get('authorization') === `Bearer ${token}`
        ? answer(200, { id: 1, shipping_city: 'Lyon' })
        : answer(200, { id: 1, shipping_city: null }, invalid);
    const signedIn = async (answers: ConstructorParameters<typeof FakeService>[0]) => {
      const service = new FakeService({ '/api/v1/auth/login': [tokens(1)], ...answers });
      const store = createStoreClient({ baseUrl, fetch: service.fetch });
      await store.auth.login(login);
      return { service, store };
    };

    it('renews it, and repeats a read once', async () => {
      const { service, store } = await signedIn({ '/api/v1/auth/refresh': [tokens(2)], [order]: [openTo('access-2')] });
      const { data } = await store.orders.get({ path: { order_id: 1 } });
      expect(data).toMatchObject({ shipping_city: 'Lyon' });
      expect([service.count('/api/v1/auth/refresh'), service.count(order)]).toEqual([1, 2]);
    });

    it('repeats a read once alone, and keeps its response where the session is over', async () => {
      const never = await signedIn({ '/api/v1/auth/refresh': [tokens(2)], [order]: [openTo('another')] });
      await expect(never.store.orders.get({ path: { order_id: 1 } })).resolves.toMatchObject({ data: { id: 1 } });
      expect(never.service.count(order)).toBe(2);
      const over = answer(401, { detail: 'The session is over', code: 'unauthenticated' });
      const ended = await signedIn({ '/api/v1/auth/refresh': [over], [order]: [openTo('another')] });
      await expect(ended.store.orders.get({ path: { order_id: 1 } })).resolves.toMatchObject({ data: { id: 1 } });
      expect(ended.service.count(order)).toBe(1);
    });

    it('renews it for later, and repeats no change', async () => {
      const { service, store } = await signedIn({
        '/api/v1/auth/refresh': [tokens(2)],
        [product]: [openTo('access-2')],
      });
      await store.products.update({ path: { product_id: 1 }, body: { stock: 3 } });
      expect([service.count(product), await store.accessToken()]).toEqual([1, 'access-2']);
    });
  });

  it('resumes a stored session before the first call that needs a login', async () => {
    const service = new FakeService({ '/api/v1/auth/refresh': [tokens(2)], [me]: [onlyFor('access-2')] });
    const store = createStoreClient({ baseUrl, fetch: service.fetch, session: storageOf('refresh-1') });
    await store.auth.me();
    expect(await service.requests[0]?.json()).toEqual({ refresh_token: 'refresh-1' });
    expect(service.count(me)).toBe(1);
  });

  it('reports once that a session has ended, forgets it, and does not try it again', async () => {
    const refused = answer(401, { detail: 'The session is over', code: 'unauthenticated' });
    const service = new FakeService({ '/api/v1/auth/refresh': [refused], [me]: [expired] });
    const onSessionEnd = jest.fn();
    const storage = storageOf('refresh-1');
    const store = createStoreClient({ baseUrl, fetch: service.fetch, session: storage, onSessionEnd });
    await expect(store.auth.me()).rejects.toThrow(StoreApiError);
    await expect(store.auth.me()).rejects.toMatchObject({ status: 401, code: 'token_expired' });
    expect(onSessionEnd).toHaveBeenCalledTimes(1);
    expect(service.count('/api/v1/auth/refresh')).toBe(1);
    expect(storage.token).toBeNull();
  });

  describe('where a call takes a recent login', () => {
    const reauthenticate = '/api/v1/auth/reauthenticate';
    const old = answer(401, { detail: 'This takes a recent login', code: 'reauthentication_required' });
    const onlyRecent = (request: Request) =>
      request.headers.get('authorization') === 'Bearer access-2' ? answer(200, { id: 1 }) : old.clone();

    async function signedIn(service: FakeService, proof: object | undefined) {
      const onReauthentication = jest.fn(() => Promise.resolve(proof as { password: string } | undefined));
      const storage = storageOf(null);
      const store = createStoreClient({ baseUrl, fetch: service.fetch, session: storage, onReauthentication });
      await store.auth.login(login);
      return { store, storage, onReauthentication };
    }

    it('asks once for many waiting calls, and goes on with each of them', async () => {
      const proven = answer(200, { access_token: 'access-2', token_type: 'bearer' });
      const service = new FakeService({
        '/api/v1/auth/login': [tokens(1)],
        [reauthenticate]: [proven],
        [me]: [onlyRecent],
      });
      const { store, storage, onReauthentication } = await signedIn(service, { password: 'p', totp_code: '123456' });
      await expect(Promise.all([store.auth.me(), store.auth.me(), store.auth.me()])).resolves.toHaveLength(3);
      expect(onReauthentication).toHaveBeenCalledTimes(1);
      const sent = service.requests.find(({ url }) => url.endsWith(reauthenticate));
      expect(sent?.headers.get('authorization')).toBe('Bearer access-1');
      expect(await sent?.json()).toEqual({ password: 'p', totp_code: '123456' });
      expect(storage.token).toBe('refresh-1');
    });

    it('throws why the password does not do, and neither renews nor ends the session', async () => {
      const wrong = answer(400, { detail: 'The current password is wrong', code: 'wrong_password' });
      const service = new FakeService({
        '/api/v1/auth/login': [tokens(1)],
        [reauthenticate]: [wrong],
        [me]: [onlyRecent],
      });
      const { store, storage } = await signedIn(service, { password: 'wrong' });
      await expect(store.auth.me()).rejects.toMatchObject({ status: 400, code: 'wrong_password' });
      expect(service.count('/api/v1/auth/refresh')).toBe(0);
      expect(storage.token).toBe('refresh-1');
    });

    it('throws the refusal where nobody proves anything', async () => {
      const service = new FakeService({ '/api/v1/auth/login': [tokens(1)], [me]: [onlyRecent] });
      const { store } = await signedIn(service, undefined);
      await expect(store.auth.me()).rejects.toMatchObject({ status: 401, code: 'reauthentication_required' });
      expect(service.count(me)).toBe(1);
    });
  });

  it('keeps a session that the service cannot renew for now', async () => {
    const away = answer(503, { detail: 'The database cannot be reached', code: 'database_unavailable' });
    const service = new FakeService({ '/api/v1/auth/refresh': [away, tokens(2)], [me]: [onlyFor('access-2')] });
    const onSessionEnd = jest.fn();
    const retry = { limit: 0 };
    const session = storageOf('refresh-1');
    const store = createStoreClient({ baseUrl, fetch: service.fetch, session, onSessionEnd, retry });
    await expect(store.auth.me()).rejects.toMatchObject({ status: 401 });
    await expect(store.auth.me()).resolves.toMatchObject({ data: { id: 1 } });
    expect(onSessionEnd).not.toHaveBeenCalled();
  });

  it('leaves the refresh token to the browser with the session in a cookie', async () => {
    const token = answer(200, { access_token: 'access-1', token_type: 'bearer' });
    const service = new FakeService({
      '/api/v1/auth/login': [token],
      '/api/v1/auth/refresh': [token],
      [me]: [onlyFor('access-1')],
    });
    await createStoreClient({ baseUrl, fetch: service.fetch, session: 'cookie' }).auth.login(login);
    expect(service.requests[0]?.url).toBe(`${baseUrl}/api/v1/auth/login?session=cookie`);
    const reloaded = createStoreClient({ baseUrl, fetch: service.fetch, session: 'cookie' });
    await expect(reloaded.auth.me()).resolves.toMatchObject({ data: { id: 1 } });
    expect(await service.requests[1]?.json()).toEqual({});
  });

  it('ends with signOut, on the service and here', async () => {
    const service = new FakeService({
      '/api/v1/auth/login': [tokens(1)],
      '/api/v1/auth/logout': [new Response(null, { status: 204 })],
      [me]: [expired],
    });
    const onSessionEnd = jest.fn();
    const store = createStoreClient({ baseUrl, fetch: service.fetch, onSessionEnd });
    await store.auth.login(login);
    await store.signOut();
    expect(await service.requests[1]?.json()).toEqual({ refresh_token: 'refresh-1' });
    await expect(store.accessToken()).resolves.toBeUndefined();
    expect(onSessionEnd).not.toHaveBeenCalled();
  });

  it.each([
    ['brings new tokens', tokens(2)],
    ['is refused', answer(401, { detail: 'The session is over', code: 'unauthenticated' })],
  ])('stays ended by signOut when a renewal in progress %s afterwards', async (_, late) => {
    let bring = (_answer: Response) => undefined as void;
    const service = new FakeService({
      '/api/v1/auth/refresh': [() => new Promise<Response>((resolve) => (bring = resolve))],
      '/api/v1/auth/logout': [new Response(null, { status: 204 })],
      [me]: [expired],
    });
    const onSessionEnd = jest.fn();
    const storage = storageOf('refresh-1');
    const store = createStoreClient({ baseUrl, fetch: service.fetch, session: storage, onSessionEnd });
    const waiting = store.auth.me();
    while (service.count('/api/v1/auth/refresh') === 0) await new Promise(setImmediate);
    await store.signOut();
    bring(late);
    await expect(waiting).rejects.toMatchObject({ status: 401 });
    await expect(store.accessToken()).resolves.toBeUndefined();
    expect([storage.token, service.count('/api/v1/auth/refresh')]).toEqual([null, 1]);
    expect(await service.requests[1]?.json()).toEqual({ refresh_token: 'refresh-1' });
    expect(onSessionEnd).not.toHaveBeenCalled();
  });

  it('is that of a login made during a renewal', async () => {
    let bring = (_answer: Response) => undefined as void;
    const pending = () => new Promise<Response>((resolve) => (bring = resolve));
    const service = new FakeService({
      '/api/v1/auth/login': [tokens(5)],
      '/api/v1/auth/refresh': [pending, tokens(6)],
      [me]: [onlyFor('access-5')],
    });
    const storage = storageOf('refresh-1');
    const store = createStoreClient({ baseUrl, fetch: service.fetch, session: storage });
    const waiting = store.auth.me();
    while (service.count('/api/v1/auth/refresh') === 0) await new Promise(setImmediate);
    await store.auth.login(login);
    bring(tokens(2));
    await expect(waiting).resolves.toMatchObject({ data: { id: 1 } });
    expect([await store.accessToken(), storage.token]).toEqual(['access-5', 'refresh-5']);
  });

  it('reports the progress of an upload that is repeated with a new token', async () => {
    const path = '/api/v1/uploads/avatar';
    const service = new FakeService({
      '/api/v1/auth/login': [tokens(1)],
      '/api/v1/auth/refresh': [tokens(2)],
      [path]: [onlyFor('access-2')],
    });
    const store = createStoreClient({ baseUrl, fetch: service.fetch });
    await store.auth.login(login);
    const told: number[] = [];
    const body = { file: new Blob(['0123456789']) };
    await store.uploads.avatar({ body, ...onUploadProgress(({ loaded }) => told.push(loaded)) });
    expect([told, service.count(path)]).toEqual([[0, 10, 0, 10], 2]);
  });

  it('sends a key of the shop as a bearer token, and no login with it', async () => {
    const service = new FakeService({ '/api/v1/admin/stats': [answer(200, {})], '/api/v1/tags': [expired] });
    const store = createStoreClient({ baseUrl, fetch: service.fetch, accessToken: 'sk_1' });
    await store.admin.stats().catch(() => undefined);
    await store.tags.list().catch(() => undefined);
    for (const { headers } of service.requests) {
      expect([headers.get('authorization'), headers.get('x-api-key')]).toEqual(['Bearer sk_1', null]);
    }
    expect(service.requests).toHaveLength(2);
  });

  it('sends an API key, and keeps a header set by the caller', async () => {
    const service = new FakeService({ '/api/v1/tags': [answer(200, { data: [], nextCursor: null })], [me]: [expired] });
    const store = createStoreClient({ baseUrl, fetch: service.fetch, apiKey: 'ssk_1', organizationId: 'org-1' });
    await store.tags.list();
    const [asked] = service.requests;
    expect([asked?.headers.get('x-api-key'), asked?.headers.get('x-organization-id')]).toEqual(['ssk_1', 'org-1']);
    await expect(store.auth.me({ headers: { Authorization: 'Bearer mine' } })).rejects.toMatchObject({ status: 401 });
    expect(service.count('/api/v1/auth/refresh')).toBe(0);
  });
});

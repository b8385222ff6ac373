import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, cart, Story, userId } from '../story.js';

const day = 86_400_000;

let story: Story;
let token: string;
beforeEach(() => {
  story = new Story();
  token = story.signIn('ada');
});

function use(access: string, status = 200, node: 0 | 1 = 0): number {
  return story.ask(
    'GET',
    '/cart',
    { token: access, node },
    status,
    status === 200 ? cart([]) : { detail: 'Sign in.', code: 'token_revoked' },
  );
}

function refresh(refresh_token: string, status: number, answer: Record<string, unknown>): number {
  return story.ask('POST', '/auth/refresh', { body: { refresh_token } }, status, answer);
}

const next = { access_token: 'token-2', expires_in: 3600, refresh_token: 'refresh-2' };
const reused = { detail: 'It was replaced.', code: 'refresh_token_reused' };

describe('sessions', () => {
  it('go on by their refresh token, and end when they are signed out', async () => {
    use(token);
    story.later(3_700_000);
    use(token, 401);
    refresh('refresh-ada', 200, next);
    refresh('refresh-ada', 200, next);
    use('token-2');
    story.ask('POST', '/auth/logout', { token: 'token-2' }, 204);
    use('token-2', 401);
    expect(await story.judged()).toEqual([]);
  });

  it('finds a token that lives on after its session', async () => {
    const out = story.ask('POST', '/auth/logout', { token }, 204);
    const n = use(token);
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['sessions/ended-stays-ended', n]]);
    expect(violations[0]!.message).toBe(
      `The session of ada was over since entry ${out} (it was signed out): expected a 401, got 200`,
    );
  });

  it('gives other nodes two seconds', async () => {
    story.ask('POST', '/auth/logout', { token }, 204);
    use(token, 200, 1);
    expect(await story.judged()).toEqual([]);
    story.later(2_000);
    const n = use(token, 200, 1);
    expect(broken(await story.judged())).toEqual([['sessions/ended-stays-ended', n]]);
  });

  it('finds a token that outlives its time', async () => {
    story.later(3_602_000);
    const n = use(token);
    expect(broken(await story.judged())).toEqual([['sessions/token-ends', n]]);
  });

  it('finds a refresh token that serves twice, and one that serves after thirty days', async () => {
    refresh('refresh-ada', 200, next);
    story.later(12_000);
    const twice = refresh('refresh-ada', 200, {
      access_token: 'token-3',
      expires_in: 3600,
      refresh_token: 'refresh-3',
    });
    expect(broken(await story.judged())).toEqual([['sessions/refresh-once', twice]]);
    story.later(31 * day);
    const late = refresh('refresh-2', 200, { access_token: 'token-4', expires_in: 3600, refresh_token: 'refresh-4' });
    expect(broken(await story.judged())).toContainEqual(['sessions/refresh-ends', late]);
  });

  it('finds a session that goes on though a replaced token was used', async () => {
    refresh('refresh-ada', 200, next);
    story.later(12_000);
    refresh('refresh-ada', 401, reused);
    const n = use('token-2');
    expect(broken(await story.judged())).toEqual([['sessions/ended-stays-ended', n]]);
  });

  it('finds a token that a new password did not end', async () => {
    story.ask('POST', '/auth/password', { token, body: {} }, 200, { access_token: 'token-new', expires_in: 3600 });
    use('token-new');
    expect(await story.judged()).toEqual([]);
    const n = use(token);
    expect(broken(await story.judged())).toEqual([['sessions/ended-stays-ended', n]]);
  });

  it('finds that somebody suspended goes on', async () => {
    const admin = { client: 'admin', token: story.signIn('grace') };
    story.ask('PUT', `/admin/users/${userId('ada')}`, { ...admin, body: { suspended: true } }, 200, {});
    const n = use(token);
    expect(broken(await story.judged())).toEqual([['sessions/ended-stays-ended', n]]);
  });

  it('finds an ended session in the list', async () => {
    const session = (id: string, expires_at = '2026-04-01T00:00:00.000Z') => ({ id, expires_at, current: false });
    story.ask('GET', '/users/me/sessions', { token }, 200, [session('a'), session('b')]);
    story.ask('DELETE', '/users/me/sessions/a', { token }, 204);
    const n = story.ask('GET', '/users/me/sessions', { token }, 200, [
      session('a'),
      session('b', '2026-03-01T00:00:00.000Z'),
    ]);
    expect(broken(await story.judged())).toEqual([
      ['sessions/ended-stays-ended', n],
      ['sessions/listed', n],
    ]);
  });
});

describe('keys', () => {
  const make = (fields: Record<string, unknown>) =>
    story.ask('POST', '/admin/keys', { client: 'admin', token: 'admin' }, 201, {
      id: 'k',
      key: 'sk_1',
      expires_at: null,
      scopes: ['orders:read'],
      ...fields,
    });
  const read = (path: string) => story.ask('GET', path, { client: 'erp', token: 'sk_1' }, 200, []);

  it('serve within their scopes, until they are revoked', async () => {
    make({});
    read('/admin/orders');
    expect(await story.judged()).toEqual([]);
    const beyond = read('/admin/stats');
    story.ask('DELETE', '/admin/keys/k', { client: 'admin', token: 'admin' }, 204);
    const revoked = read('/admin/orders');
    expect(broken(await story.judged())).toEqual([
      ['keys/scope', beyond],
      ['keys/revoked', revoked],
    ]);
  });

  it('end by the clock', async () => {
    make({ expires_at: '2026-03-02T09:00:00.000Z' });
    story.later(2 * 3_600_000);
    const n = read('/admin/orders');
    expect(broken(await story.judged())).toEqual([['keys/expired', n]]);
  });

  it('of a viewer only read', async () => {
    story.ask('POST', '/organizations/o/api-keys', { token }, 201, {
      id: 'k',
      key: 'sk_1',
      role: 'viewer',
      expiresAt: null,
    });
    const n = story.ask('POST', '/tags', { client: 'viewer', headers: { 'x-api-key': 'sk_1' } }, 201, { id: 't' });
    expect(broken(await story.judged())).toEqual([['keys/role', n]]);
  });
});

import { isDone, isUncertain, match, type Call } from './calls.js';
import { type Facts, type Tell } from './facts.js';
import { listOf, numberOf, textOf } from './values.js';

/** Access tokens end with their session: on other nodes within two seconds. */
const otherNodeMs = 2_000;
/** For this long, a refresh token that was replaced still gives its successor. */
const graceMs = 10_000;
const refreshMs = 30 * 86_400_000;
const sessionMs = 180 * 86_400_000;
/** The clocks of the service and of the one who measures may differ by rounding. */
const roundingMs = 1_500;

interface Ended {
  call: Call;
  why: string;
}

interface Session {
  account: string;
  beganAt: number;
  /** Each refresh token in turn, with the call that gave it. */
  refreshTokens: { token: string; given: Call }[];
  ended: Ended | undefined;
}

interface AccessToken {
  session: Session;
  given: Call;
  lifeMs: number | undefined;
  /** A new password ends the tokens of the session that goes on, too. */
  ended: Ended | undefined;
}

interface RefreshToken {
  session: Session;
  place: number;
  /** The call that was answered with its successor. */
  used: Call | undefined;
  /** Whether a request with it was sent whose answer was lost. */
  perhapsUsed: boolean;
}

/** Sessions and keys: what ended stays ended, on every node, and tokens end by the clock. */
export function judgeSessions(facts: Facts, tell: Tell): void {
  const tokens = new Map<string, AccessToken>();
  const refreshed = new Map<string, RefreshToken>();
  const waiting = new Map<string, { account: string; call: Call }>();
  const sessions: Session[] = [];

  const give = (call: Call, session: Session) => {
    const access = textOf(call.answer.access_token);
    const life = numberOf(call.answer.expires_in);
    if (access !== undefined && !tokens.has(access)) {
      tokens.set(access, {
        session,
        given: call,
        lifeMs: life === undefined ? undefined : life * 1000,
        ended: undefined,
      });
    }
    const refresh = textOf(call.answer.refresh_token);
    if (refresh !== undefined && !refreshed.has(refresh)) {
      session.refreshTokens.push({ token: refresh, given: call });
      refreshed.set(refresh, { session, place: session.refreshTokens.length - 1, used: undefined, perhapsUsed: false });
    }
  };
  const endAll = (call: Call, why: string, isOne: (session: Session) => boolean) => {
    for (const session of sessions) {
      if (session.ended === undefined && isOne(session) && session.beganAt <= call.sentAt)
        session.ended = { call, why };
    }
  };
  const accountById = (id: string | undefined) =>
    facts.accounts.find(({ userId }) => userId !== undefined && userId === id)?.username.toLowerCase();

  for (const call of facts.calls) {
    const used = call.token === undefined ? undefined : tokens.get(call.token);
    if (used) judgeUse(call, used, tell);

    const begin = (account: string) => {
      const session: Session = { account, beganAt: call.sentAt, refreshTokens: [], ended: undefined };
      sessions.push(session);
      give(call, session);
    };
    if (match(call, 'POST', '/auth/login') && isDone(call)) {
      const account = String(call.body.username).toLowerCase();
      const temporary = textOf(call.answer.temp_token);
      if (temporary !== undefined) waiting.set(temporary, { account, call });
      if (textOf(call.answer.access_token) !== undefined) begin(account);
    } else if (match(call, 'POST', '/auth/login/totp')) {
      const login = waiting.get(String(call.body.temp_token));
      if (login && isDone(call)) {
        if (call.sentAt - login.call.endedAt > 5 * 60_000 + roundingMs) {
          tell(
            'sessions/temporary-token',
            call.n,
            `The temporary token of entry ${login.call.n} ended after five minutes: expected a 401, got a session`,
          );
        }
        waiting.delete(String(call.body.temp_token));
        begin(login.account);
      }
    } else if (match(call, 'POST', '/auth/refresh')) {
      const known = refreshed.get(String(call.body.refresh_token));
      if (known) {
        judgeRefresh(call, known, tell);
        if (isUncertain(call)) known.perhapsUsed = true;
        if (isDone(call)) {
          known.used ??= call;
          give(call, known.session);
        } else if (call.answer.code === 'refresh_token_reused') {
          endAll(call, 'a replaced refresh token was used', (session) => session === known.session);
        }
      }
    } else if (used && isDone(call)) {
      if (call.path === '/auth/password') {
        for (const token of tokens.values()) {
          if (token.session === used.session) token.ended ??= { call, why: 'the password was changed' };
        }
        give(call, used.session);
        endAll(call, 'the password was changed', (one) => one.account === used.session.account && one !== used.session);
      } else if (call.path === '/auth/reauthenticate') give(call, used.session);
      else if (match(call, 'DELETE', '/users/me/sessions')) {
        endAll(call, 'its owner signed out everywhere', (one) => one.account === used.session.account);
      } else if (match(call, 'DELETE', '/users/me/profile')) {
        endAll(call, 'the account was deleted', (one) => one.account === used.session.account);
      }
      const [userId] =
        match(call, 'DELETE', '/admin/users/*') ?? match(call, 'DELETE', '/admin/users/*/sessions') ?? [];
      const [changed] = match(call, 'PUT', '/admin/users/*') ?? [];
      const suspends = changed !== undefined && call.body.suspended === true;
      const account = accountById(userId ?? (suspends ? changed : undefined));
      if (account !== undefined)
        endAll(call, suspends ? 'the account was suspended' : 'an admin ended it', (one) => one.account === account);
    }
    if (match(call, 'POST', '/auth/logout') && isDone(call)) {
      const named = refreshed.get(String(call.body.refresh_token))?.session ?? used?.session;
      if (named) endAll(call, 'it was signed out', (session) => session === named);
    }
  }
  judgeKeys(facts, tell);
}

/** Whether a call came when what the other ended had to be over, on its node. */
function isAfter(call: Call, ended: Call): boolean {
  const wait = call.entry.node === ended.entry.node ? 0 : otherNodeMs;
  return call.from > ended.n && call.sentAt >= ended.endedAt + wait;
}

function judgeUse(call: Call, token: AccessToken, tell: Tell): void {
  if (!isDone(call) || isOpen(call)) return;
  const { session, given, lifeMs } = token;
  const ended = token.ended ?? session.ended;
  if (ended && isAfter(call, ended.call) && ended.call.n > given.n) {
    tell(
      'sessions/ended-stays-ended',
      call.n,
      `The session of ${session.account} was over since entry ${ended.call.n} (${ended.why}): expected a 401, got ${call.status}`,
    );
  }
  if (lifeMs !== undefined && call.sentAt > given.endedAt + lifeMs + roundingMs) {
    tell(
      'sessions/token-ends',
      call.n,
      `The access token of entry ${given.n} was to end after ${lifeMs / 1000} s: expected a 401, got ${call.status}`,
    );
  }
}

/** Under `contract`, some operations take a token that ended as none, and so does whatever is public. */
function isOpen({ method, path }: Call): boolean {
  if (path.startsWith('/auth/') && path !== '/auth/me' && path !== '/auth/password') return true;
  return /^\/(products|categories|shop|schemas|health|reviews\/product|uploads\/fetch-url)/.test(path) &&
    method !== 'DELETE'
    ? !(method === 'POST' && path.startsWith('/reviews'))
    : /^\/(testimonials(\/\d+)?|orders\/(\d+|coupons.*|referrer)|users(\/[0-9a-f-]{36})?)$/.test(path) &&
        !(method === 'POST' && path === '/testimonials');
}

function judgeRefresh(call: Call, known: RefreshToken, tell: Tell): void {
  const { session, place } = known;
  const { given } = session.refreshTokens[place]!;
  if (!isDone(call)) {
    const next = session.refreshTokens[place + 1];
    // It is the current one, nobody ended the session, and no answer of a refresh was lost.
    const isFresh =
      call.sentAt < given.endedAt + refreshMs - roundingMs && call.sentAt < session.beganAt + sessionMs - roundingMs;
    const wrong =
      call.status === 401 &&
      isFresh &&
      !next &&
      !known.used &&
      !known.perhapsUsed &&
      !session.ended &&
      call.answer.code === 'refresh_token_reused';
    if (wrong)
      tell(
        'sessions/refresh',
        call.n,
        `The refresh token of entry ${given.n} was not used before: expected a new one, got ${String(call.answer.code)}`,
      );
    return;
  }
  if (session.ended && isAfter(call, session.ended.call)) {
    tell(
      'sessions/ended-stays-ended',
      call.n,
      `The session of ${session.account} was over since entry ${session.ended.call.n} (${session.ended.why}): expected a 401, got a new token`,
    );
  }
  if (known.used && call.sentAt > known.used.endedAt + graceMs + roundingMs) {
    tell(
      'sessions/refresh-once',
      call.n,
      `The refresh token of entry ${given.n} was replaced by entry ${known.used.n}, more than ten seconds ago: expected a 401 that ends the session, got a new token`,
    );
  }
  if (call.sentAt > given.endedAt + refreshMs + roundingMs) {
    tell(
      'sessions/refresh-ends',
      call.n,
      `The refresh token of entry ${given.n} was to end after 30 days without use: expected a 401, got a new token`,
    );
  }
  if (call.sentAt > session.beganAt + sessionMs + roundingMs) {
    tell(
      'sessions/refresh-ends',
      call.n,
      `The session of entry ${session.refreshTokens[0]!.given.n} was to end after 180 days: expected a 401, got a new token`,
    );
  }
}

interface Key {
  made: Call;
  id: string;
  expiresAt: number;
  revoked: Call | undefined;
  role: string | undefined;
  scopes: readonly unknown[];
}

/** Keys of the shop and of organizations: revoked at once on every node, ended by the clock, and within their scopes. */
function judgeKeys(facts: Facts, tell: Tell): void {
  const keys = new Map<string, Key>();
  for (const call of facts.calls) {
    const key = call.token === undefined ? undefined : keys.get(call.token);
    if (key && isDone(call) && !isOpen(call)) {
      if (key.revoked && call.from > key.revoked.n) {
        tell(
          'keys/revoked',
          call.n,
          `The key of entry ${key.made.n} was revoked by entry ${key.revoked.n}: expected a 401, got ${call.status}`,
        );
      }
      if (call.sentAt > key.expiresAt + roundingMs) {
        tell(
          'keys/expired',
          call.n,
          `The key of entry ${key.made.n} ended at ${new Date(key.expiresAt).toISOString()}: expected a 401, got ${call.status}`,
        );
      }
      if (key.role === 'viewer' && call.method !== 'GET') {
        tell('keys/role', call.n, `The key of entry ${key.made.n} may only read: expected a 403, got ${call.status}`);
      }
      const scope = scopeOf(call);
      if (key.role === undefined && scope !== undefined && !scope.some((one) => key.scopes.includes(one))) {
        tell(
          'keys/scope',
          call.n,
          `The key of entry ${key.made.n} has only ${key.scopes.join(', ')}: expected a 403 missing_scope, got ${call.status}`,
        );
      }
    }
    const madeKey = textOf(call.answer.key);
    if (call.method === 'POST' && /\/(api-keys|keys)$/.test(call.path) && isDone(call) && madeKey !== undefined) {
      const expires = textOf(call.answer.expires_at) ?? textOf(call.answer.expiresAt);
      keys.set(madeKey, {
        made: call,
        id: String(call.answer.id),
        expiresAt: expires === undefined ? Infinity : Date.parse(expires),
        revoked: undefined,
        role: textOf(call.answer.role),
        scopes: Array.isArray(call.answer.scopes) ? call.answer.scopes : [],
      });
    }
    const [id] =
      match(call, 'DELETE', '/admin/keys/*') ?? match(call, 'DELETE', '/organizations/*/api-keys/*')?.slice(1) ?? [];
    if (id !== undefined && isDone(call)) {
      for (const one of keys.values()) if (one.id === id) one.revoked ??= call;
    }
  }
}

/** The scopes of which an operation of the administration takes one, where the documents name it. */
function scopeOf({ method, path }: Call): string[] | undefined {
  const reads = method === 'GET';
  if (/^\/admin\/(keys|audit)/.test(path)) return [];
  if (path.startsWith('/admin/orders')) return reads ? ['orders:read', 'orders:write'] : ['orders:write'];
  if (/^\/admin\/(products|coupons|categories)/.test(path))
    return reads ? ['catalog:read', 'catalog:write'] : ['catalog:write'];
  if (/^\/admin\/(webhooks|events)/.test(path)) return ['webhooks:write'];
  if (path.startsWith('/admin/stats')) return ['stats:read'];
  return undefined;
}

/** After a session ended, the list of the others does not show it; `current` is one of those listed. */
export function judgeSessionLists(facts: Facts, tell: Tell): void {
  for (const call of facts.calls) {
    if (!match(call, 'GET', '/users/me/sessions') || !isDone(call)) continue;
    const sessions = listOf(call.raw);
    const ended = facts.calls.filter(
      (one) => isDone(one) && one.n < call.from && match(one, 'DELETE', '/users/me/sessions/*'),
    );
    for (const { id, expires_at } of sessions) {
      const by = ended.find((one) => match(one, 'DELETE', '/users/me/sessions/*')?.[0] === id);
      if (by)
        tell('sessions/ended-stays-ended', call.n, `Session ${String(id)} was ended by entry ${by.n}, and is listed`);
      if (Date.parse(String(expires_at)) + roundingMs < call.sentAt) {
        tell('sessions/listed', call.n, `Session ${String(id)} ended at ${String(expires_at)}, and is listed`);
      }
    }
    if (sessions.length > 50)
      tell('sessions/listed', call.n, `An account has at most 50 sessions, and ${sessions.length} are listed`);
    if (sessions.filter(({ current }) => current === true).length > 1) {
      tell('sessions/listed', call.n, 'Only one session can be that of the request, and several say so');
    }
  }
}

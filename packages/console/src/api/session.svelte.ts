import { hrefOf, place } from '../router.svelte.js';
import { type Problem, problemOf, problemOfAnswer, ServiceError } from './problem.js';
import { goToProvider, openedFor, type ProviderReturn, returnFromProvider } from './provider-return.js';
import { texts } from '../texts/texts.js';

export type Need = 'anyone' | 'shop-admin' | 'viewer' | 'member' | 'organization-admin';

interface User {
  id: string;
  username: string;
  email: string;
  role: string;
  totp_enabled: boolean;
}

interface Organization {
  id: string;
  name: string;
  role: 'admin' | 'member' | 'importer' | 'viewer';
}

/** The signed-in user. The access token stays in memory; only a cookie that no script can read survives a reload. */
class Session {
  state = $state<'starting' | 'none' | 'signed-in' | 'ended' | 'unreachable'>('starting');
  user = $state.raw<User | null>(null);
  organizations = $state.raw<Organization[]>([]);
  /** The last organization used, for addresses that name none. */
  organizationId = $state<string | null>(null);
  /** Whether a request waits for the user to prove once more who they are. */
  isProofAsked = $state(false);
  /** Why the sign-in with the provider, from which the user has just returned, did not work. */
  providerProblem = $state.raw<Problem | null>(null);
  /** The token of the second step, where the provider vouches for one factor and another is needed. */
  pendingToken = $state('');
  /** What kept the session from being continued. */
  problem = $state.raw<unknown>(null);

  readonly organization = $derived(
    this.#byId(place.organization) ?? this.#byId(this.organizationId) ?? this.organizations[0] ?? null,
  );
  /** Whether the address names an organization that the user does not belong to. */
  readonly isForeign = $derived(place.organization !== '' && !this.#byId(place.organization));

  #byId(organizationId: string | null): Organization | undefined {
    return this.organizations.find(({ id }) => id === organizationId);
  }

  /** The reason why the user may not see something. */
  refusalOf(need: Need): string {
    return texts.api.refusals[need];
  }
}

export const session = new Session();

const ranks = { viewer: 0, importer: 1, member: 2, admin: 3 };

/** Whether the user may do things that need this. */
export function can(need: Need): boolean {
  if (need === 'anyone') return session.user !== null;
  if (need === 'shop-admin') return session.user?.role === 'admin';
  const role = session.organization?.role;
  if (!role) return false;
  return ranks[role] >= ranks[need === 'organization-admin' ? 'admin' : need];
}

let accessToken: string | null = null;
let refreshing: Promise<boolean> | null = null;
/** Resolves when somebody has signed in again. */
let waiting: { promise: Promise<void>; resolve: () => void } | null = null;
/** Resolves when the user has proved once more who they are, or would not. */
let proving: { promise: Promise<boolean>; resolve: (isProven: boolean) => void } | null = null;

const auth = '/api/v1/auth';
const organizationKey = 'organization';

/** All requests wait for one that renews the session: if it was lost on its way, not forever. */
const answerMs = 20_000;

async function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${auth}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  });
}

/** The user whom a token belongs to. */
function ownerOf(token: string): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: string }).sub;
}

/** Reloads the page as whoever is signed in by now; requests that are waiting are never completed. */
function startAfresh(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}

/** Tells the tabs of this browser, which share the session, that the user ended it or began another. */
const tabs = new BroadcastChannel('store-session');
tabs.addEventListener('message', ({ data }) => {
  if (data === 'ended' && session.state !== 'none') void startAfresh();
  if (data === 'begun' && session.state === 'ended') void goOn().catch(() => undefined);
  if (data === 'begun' && session.isProofAsked) void goOnProven().catch(() => undefined);
});

/** Continues with the session that another tab has begun. */
async function goOn(): Promise<void> {
  if (await refresh()) await load();
}

/** The same, where it was begun to prove who the user is. */
async function goOnProven(): Promise<void> {
  if (await refresh()) endProof(true);
}

/** Requests a new access token with the cookie, once for all callers. Returns whether there is one. */
function refresh(): Promise<boolean> {
  refreshing ??= (async () => {
    const response = await post('refresh', {});
    if ([401, 404, 422].includes(response.status)) return false;
    if (!response.ok) throw new ServiceError(await problemOfAnswer(response));
    const { access_token } = (await response.json()) as { access_token: string };
    // Somebody else has signed in meanwhile in another tab: nothing on this page belongs to them.
    if (session.user && ownerOf(access_token) !== session.user.id) return startAfresh();
    accessToken = access_token;
    return true;
  })().finally(() => (refreshing = null));
  return refreshing;
}

/** Requests JSON from the service with the session; throws a `ServiceError` for a refusal. */
export async function readJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await withSession(new Request(path, init));
  if (!response.ok) throw new ServiceError(await problemOfAnswer(response));
  return (await response.json()) as T;
}

async function readOrganizations(): Promise<Organization[]> {
  const all: Organization[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({ size: '100', ...(cursor && { cursor }) });
    const page: { data: Organization[]; nextCursor: string | null } = await readJson(`/api/v1/organizations?${query}`);
    all.push(...page.data);
    cursor = page.nextCursor;
  }
  return all;
}

async function load(): Promise<void> {
  const [user, organizations] = await Promise.all([readJson<User>('/api/v1/users/me/profile'), readOrganizations()]);
  session.user = user;
  session.organizations = organizations;
  session.organizationId = localStorage.getItem(organizationKey);
  session.state = 'signed-in';
  waiting?.resolve();
  waiting = null;
}

/** Refetches the signed-in user and their organizations. */
export const reload = (): Promise<void> => load();

/** Signs in, or links the account, with what the provider answered. */
async function endAtProvider({ purpose, answer, isTab }: ProviderReturn): Promise<void> {
  if (purpose === 'sign-in') {
    const result = await takeToken(await post('oidc/finish?session=cookie', answer));
    if (result.needsCode) session.pendingToken = result.temporaryToken;
    // The tab that opened this one goes on. A browser that keeps it open shows the same page here.
    else if (isTab) close();
    return;
  }
  const body = JSON.stringify(answer);
  const headers = { 'content-type': 'application/json' };
  await readJson('/api/v1/users/me/provider-links', { method: 'POST', headers, body });
}

async function takeProviderReturn(returned: ProviderReturn): Promise<void> {
  try {
    await endAtProvider(returned);
  } catch (error) {
    session.providerProblem = problemOf(error);
  }
}

/** Leads on to the provider at once, in a tab that was opened for that. Returns whether it does. */
async function leadOn(): Promise<boolean> {
  const doing = openedFor();
  if (doing === null) return false;
  const to = place.get('to');
  const response = await post('oidc/start', { page: 'console', fresh: doing === 'fresh' });
  if (!response.ok) {
    session.providerProblem = await problemOfAnswer(response);
    session.state = 'none';
    return true;
  }
  const begun = (await response.json()) as { authorization_url: string; login_token: string };
  goToProvider({ ...begun, purpose: 'sign-in', to, isTab: true });
  return true;
}

/** Continues the session of the cookie, if there is one, or begins that of a user who returns from the provider. */
export async function start(): Promise<void> {
  session.state = 'starting';
  const returned = returnFromProvider();
  try {
    if (await leadOn()) return;
    if (returned?.purpose === 'sign-in') await takeProviderReturn(returned);
    if (can('anyone')) return;
    if (session.pendingToken !== '') {
      session.state = 'none';
      return;
    }
    if (await refresh()) {
      if (returned?.purpose === 'link') await takeProviderReturn(returned);
      await load();
    } else session.state = 'none';
  } catch (error) {
    session.problem = error;
    session.state = 'unreachable';
  }
}

/** The outcome of a login: the session, or the question for a code. */
export type SignInResult = { needsCode: false } | { needsCode: true; temporaryToken: string };

async function takeToken(response: Response): Promise<SignInResult> {
  if (!response.ok) throw new ServiceError(await problemOfAnswer(response));
  const body = (await response.json()) as { access_token: string | null; temp_token?: string | null };
  if (body.access_token === null) return { needsCode: true, temporaryToken: body.temp_token ?? '' };
  accessToken = body.access_token;
  session.pendingToken = '';
  await load();
  tabs.postMessage('begun');
  return { needsCode: false };
}

export async function signIn(username: string, password: string): Promise<SignInResult> {
  return takeToken(await post('login?session=cookie', { username, password }));
}

/** The second step, with a code of the authenticator app or a recovery code. */
export async function signInWithCode(temporaryToken: string, code: string): Promise<SignInResult> {
  return takeToken(await post('login/totp?session=cookie', { temp_token: temporaryToken, totp_code: code }));
}

/** Changes the password; the session of this device continues with a new token, all others end. */
export async function changePassword(current_password: string, new_password: string): Promise<void> {
  const request = new Request(`${auth}/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ current_password, new_password }),
  });
  await takeToken(await withSession(request));
}

/** Sends the password, and the code of a two-factor login, for requests that take a recent login; these go on then. */
export async function reauthenticate(password: string, totp_code: string): Promise<void> {
  const request = new Request(`${auth}/reauthenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password, ...(totp_code && { totp_code }) }),
  });
  const response = await withSession(request);
  if (!response.ok) throw new ServiceError(await problemOfAnswer(response));
  accessToken = ((await response.json()) as { access_token: string }).access_token;
  endProof(true);
}

/** Lets the requests that wait for `reauthenticate` go on, or with false be refused. */
export function endProof(isProven: boolean): void {
  session.isProofAsked = false;
  proving?.resolve(isProven);
  proving = null;
}

function proof(): Promise<boolean> {
  session.isProofAsked = true;
  proving ??= Promise.withResolvers<boolean>();
  return proving.promise;
}

export async function signOut(): Promise<void> {
  await post('logout', {}).catch(() => undefined);
  accessToken = null;
  tabs.postMessage('ended');
  // From now on the cached data are another person's: nothing of them stays in memory.
  location.assign(import.meta.env.BASE_URL);
}

/** Drops the session that the service ended, and lets somebody else sign in. */
export function leaveEnded(): void {
  location.assign(import.meta.env.BASE_URL);
}

/** Switches to the overview of another organization. Returns whether it does: the user may stay because of unsaved input. */
export async function chooseOrganization(id: string): Promise<boolean> {
  if (!(await place.go(hrefOf('scanning', { organization: id })))) return false;
  localStorage.setItem(organizationKey, id);
  session.organizationId = id;
  return true;
}

async function signedInAgain(): Promise<void> {
  session.state = 'ended';
  waiting ??= Promise.withResolvers<void>();
  await waiting.promise;
}

function signed(request: Request): Request {
  const copy = request.clone();
  if (accessToken) copy.headers.set('authorization', `Bearer ${accessToken}`);
  if (session.organization && !copy.headers.has('x-organization-id')) {
    copy.headers.set('x-organization-id', session.organization.id);
  }
  return copy;
}

/** Whether the service answered a read as it answers anybody, since the token is no longer valid. */
function readAsNobody({ method }: Request, { ok, headers }: Response): boolean {
  return ok && method === 'GET' && /error="invalid_token"/.test(headers.get('www-authenticate') ?? '');
}

/**
 * Sends a request with the session. On a 401 it requests a new token once; if the session has ended, it waits until somebody
 * has signed in again in place, and then repeats the request. Where the login is too old for it, it asks for the password
 * once more.
 */
export async function withSession(request: Request): Promise<Response> {
  for (;;) {
    const token = accessToken;
    const response = await fetch(signed(request));
    const isNobodys = readAsNobody(request, response);
    if (isNobodys && (token !== accessToken || (await refresh()))) return fetch(signed(request));
    if (response.status !== 401 || session.state === 'none') return response;
    if ((await problemOfAnswer(response.clone())).code === 'reauthentication_required') {
      if (token === accessToken && !(await proof())) return response;
      continue;
    }
    if (token === accessToken && !(await refresh())) {
      if (session.state === 'starting') return response;
      await signedInAgain();
    }
  }
}

/** The current token, for requests that cannot go through `withSession`. */
export const bearerOfTheMoment = (): string | null => accessToken;

/** Waits for a new token, and for somebody to sign in again if the session has ended. */
export async function renewed(): Promise<void> {
  if (!(await refresh())) await signedInAgain();
}

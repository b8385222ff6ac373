import type { ErrorCode, Reauthentication } from './generated/types.gen.js';
import { cloneOf } from './upload-progress.js';

/** A store for a refresh token, such as a phone's keychain. */
export interface RefreshTokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>;
  set(token: string | null): void | Promise<void>;
}

type Send = (request: Request) => Promise<Response>;

interface Tokens {
  access_token?: string | null;
  refresh_token?: string | null;
}

export interface SessionParts {
  baseUrl: string;
  /** Absent if the browser keeps the refresh token in a cookie. */
  storage: RefreshTokenStorage | undefined;
  send: Send;
  onEnd: (() => void) | undefined;
  prove: (() => Promise<Reauthentication | undefined>) | undefined;
}

const auth = '/api/v1/auth/';
const answersTokens =
  /\/api\/v1\/auth\/(login|login\/totp|oidc\/finish|oidc\/device\/finish|password|reauthenticate|refresh)$/;

/** Whether the service refuses the token: with a 401, or, where anybody may call, beside the answer that anybody gets. */
function refusesToken({ status, headers }: Response): boolean {
  return status === 401 || /error="invalid_token"/.test(headers.get('www-authenticate') ?? '');
}

/** Keeps a refresh token as long as the page or process lives. */
export function inMemory(): RefreshTokenStorage {
  let kept: string | null = null;
  return { get: () => kept, set: (token) => void (kept = token) };
}

/** The tokens of a login: kept from its response, sent with later calls, and renewed once for many waiting ones. */
export class Session {
  private current: string | undefined;
  private renewal: Promise<void> | undefined;
  /** Asks the user once for many waiting calls; resolves to a refusal of what they gave, if there is one. */
  private proof: Promise<Response | undefined> | undefined;
  /** Nobody is signed in: nothing is renewed until the next login. */
  private isOver = false;
  /** Counts logins and sign-outs: the result of a renewal begun before one is dropped after it. */
  private epoch = 0;

  constructor(private readonly parts: SessionParts) {}

  /** The access token; resumes the stored session of an earlier visit if need be. */
  async accessToken(): Promise<string | undefined> {
    if (this.current === undefined && !this.isOver) await this.renew();
    return this.current;
  }

  /**
   * Sends a request. If its access token has expired, renews it and sends the request once more; but not if it was
   * answered as anybody's and changes something. Nor if its login was too old, unless the user proves again who they are.
   */
  async send(request: Request, send: Send): Promise<Response> {
    const used = request.headers.get('authorization')?.slice('Bearer '.length);
    const isOurs = used !== undefined && used === this.current;
    const again = isOurs ? cloneOf(request) : undefined;
    const response = await send(request);
    if (response.ok && answersTokens.test(new URL(request.url).pathname)) {
      this.supersede();
      await this.keep((await response.clone().json()) as Tokens);
    }
    if (!again || !refusesToken(response)) return response;
    if (await asksForRecentLogin(response)) {
      const refusal = used === this.current ? await this.prove() : undefined;
      if (refusal) return refusal.clone();
    } else if (used === this.current) await this.renew();
    if (this.current === undefined || this.current === used) return response;
    if (response.status !== 401 && !['GET', 'HEAD'].includes(request.method)) return response;
    void response.body?.cancel().catch(() => undefined);
    again.headers.set('authorization', `Bearer ${this.current}`);
    return send(again);
  }

  /** Ends the session on the service and here. */
  async signOut(): Promise<void> {
    const token = await this.parts.storage?.get();
    const access = this.current;
    await this.forget();
    // Any refresh token of the session ends it, even one that a renewal in progress replaces; a cookie is sent by the browser.
    if (token || access || !this.parts.storage) await this.post('logout', bodyOf(token), access);
  }

  private prove(): Promise<Response | undefined> {
    this.proof ??= this.exchangeProof().finally(() => (this.proof = undefined));
    return this.proof;
  }

  private async exchangeProof(): Promise<Response | undefined> {
    const given = await this.parts.prove?.();
    if (!given) return undefined;
    const epoch = this.epoch;
    const response = await this.post('reauthenticate', given, this.current);
    if (!response.ok) return response;
    const tokens = (await response.json()) as Tokens;
    if (epoch === this.epoch) await this.keep(tokens);
    return undefined;
  }

  private renew(): Promise<void> {
    if (this.renewal) return this.renewal;
    const renewal = this.exchange(this.epoch).finally(() => {
      if (this.renewal === renewal) this.renewal = undefined;
    });
    return (this.renewal = renewal);
  }

  private async exchange(epoch: number): Promise<void> {
    const token = await this.parts.storage?.get();
    const hadSession = this.current !== undefined || Boolean(token);
    if (token || !this.parts.storage) {
      const response = await this.post('refresh', bodyOf(token));
      const tokens = response.ok ? ((await response.json()) as Tokens) : undefined;
      if (epoch !== this.epoch) return;
      if (tokens) return this.keep(tokens);
      // Any other failure is temporary, and the session continues.
      if (response.status !== 401 && response.status !== 403) return;
    }
    if (epoch !== this.epoch) return;
    await this.forget();
    if (hadSession) this.parts.onEnd?.();
  }

  private async keep({ access_token: access, refresh_token: refresh }: Tokens): Promise<void> {
    if (!access) return;
    this.current = access;
    this.isOver = false;
    if (refresh) await this.parts.storage?.set(refresh);
  }

  /** Drops the result of a renewal in progress: it belongs to a session that has been left. */
  private supersede(): void {
    this.epoch++;
    this.renewal = undefined;
  }

  private async forget(): Promise<void> {
    this.supersede();
    this.current = undefined;
    this.isOver = true;
    await this.parts.storage?.set(null);
  }

  private post(path: string, given: object, accessToken?: string): Promise<Response> {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (accessToken) headers.set('authorization', `Bearer ${accessToken}`);
    const body = JSON.stringify(given);
    return this.parts.send(new Request(`${this.parts.baseUrl}${auth}${path}`, { method: 'POST', headers, body }));
  }
}

function bodyOf(refreshToken: string | null | undefined): object {
  return refreshToken ? { refresh_token: refreshToken } : {};
}

/** Whether the service refuses a request only because the login is too old for it. */
async function asksForRecentLogin(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: ErrorCode } | null;
  return body?.code === 'reauthentication_required';
}

import type { Cookies } from '@sveltejs/kit';

/** The tokens of a login, as the service answers them. */
export interface Tokens {
  access_token?: string | null;
  refresh_token?: string | null;
  expires_in?: number;
}

const access = 'shop_access';
const refresh = 'shop_refresh';
const pendingCode = 'shop_code';

/** The service itself ends a session that rests or lasts too long; no cookie outlives this. */
const keptSeconds = 60 * 60 * 24 * 90;
/** A token is renewed a little before it ends, so that it lasts as long as its page takes. */
const marginSeconds = 20;
const codeSeconds = 300;
const longestToken = 3_500;

/** Out of reach of scripts, and sent along from pages of the shop alone; Secure where the shop is served by https. */
const hidden = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

const isToken = (token: string | null | undefined): token is string =>
  token !== null && token !== undefined && token !== '' && token.length <= longestToken;

/** The session of a request: what its cookies hold, and what the answer will set. */
export class Session {
  constructor(private readonly cookies: Cookies) {}

  /** Undefined once it has ended: its cookie goes when it does. */
  get accessToken(): string | undefined {
    return this.read(access);
  }

  get refreshToken(): string | undefined {
    return this.read(refresh);
  }

  /** Whether somebody is signed in, as far as the cookies tell. */
  get isOpen(): boolean {
    return this.accessToken !== undefined || this.refreshToken !== undefined;
  }

  /** Who gave the right password, and has yet to give a code. */
  get pendingToken(): string | undefined {
    return this.read(pendingCode);
  }

  set pendingToken(token: string | undefined) {
    if (isToken(token)) this.cookies.set(pendingCode, token, { ...hidden, maxAge: codeSeconds });
    else this.drop(pendingCode);
  }

  keep({ access_token: given, refresh_token: renewal, expires_in: seconds = 300 }: Tokens): void {
    const maxAge = Math.max(1, seconds - marginSeconds);
    if (isToken(given)) this.cookies.set(access, given, { ...hidden, maxAge });
    if (isToken(renewal)) this.cookies.set(refresh, renewal, { ...hidden, maxAge: keptSeconds });
    this.drop(pendingCode);
  }

  forget(): void {
    for (const name of [access, refresh, pendingCode]) this.drop(name);
  }

  private read(name: string): string | undefined {
    const value = this.cookies.get(name);
    return isToken(value) ? value : undefined;
  }

  private drop(name: string): void {
    if (this.cookies.get(name) !== undefined) this.cookies.delete(name, { path: '/' });
  }
}

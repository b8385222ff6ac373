import type { Cookies } from '@sveltejs/kit';

/** The tokens of a login, each in a cookie that no script can read. */
export interface Tokens {
  access_token?: string | null;
  refresh_token?: string | null;
}

const access = 'shop_access';
const refresh = 'shop_refresh';
/** As long as a session of the service lasts by default; the service itself ends it where it is shorter. */
const keptSeconds = 60 * 60 * 24 * 30;

const longestToken = 4_000;

/** The session of a request: what its cookies hold, and what the answer will set. */
export class Session {
  private ended = false;

  constructor(private readonly cookies: Cookies) {}

  get accessToken(): string | undefined {
    return this.cookies.get(access);
  }

  get refreshToken(): string | undefined {
    return this.cookies.get(refresh);
  }

  /** Whether somebody is signed in, as far as the cookies tell. */
  get isOpen(): boolean {
    return !this.ended && (this.accessToken !== undefined || this.refreshToken !== undefined);
  }

  keep({ access_token: given, refresh_token: renewal }: Tokens): void {
    this.ended = false;
    const options = { path: '/', httpOnly: true, sameSite: 'lax' as const, maxAge: keptSeconds };
    if (given && given.length <= longestToken) this.cookies.set(access, given, options);
    if (renewal && renewal.length <= longestToken) this.cookies.set(refresh, renewal, options);
  }

  forget(): void {
    this.ended = true;
    for (const name of [access, refresh])
      if (this.cookies.get(name) !== undefined) this.cookies.delete(name, { path: '/' });
  }
}

import type { Caller } from './caller.js';
import { type Answer, isLost } from './history.js';
import { adminPassword, bodyOf } from './world.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Somebody with an account, who stays signed in: refreshes the access token, and signs in anew where the session is over. */
export class Person {
  private refreshToken = '';
  private password = adminPassword;

  constructor(
    readonly caller: Caller,
    private readonly username = caller.name,
  ) {
    caller.renew = () => this.refresh();
  }

  /** Makes the account, and returns its id. */
  async register(): Promise<string> {
    const json = { username: this.username, email: `${this.username}@example.com`, password: adminPassword };
    const answer = await this.caller.call('POST', '/api/v1/auth/register', { json });
    const { id } = bodyOf<{ id: string }>(answer, 201);
    await this.signIn();
    return id;
  }

  async signIn(): Promise<void> {
    const json = { username: this.username, password: this.password };
    const answer = await this.caller.callSurely('POST', '/api/v1/auth/login', { json, isAnonymous: true });
    if (answer?.status === 200) this.keep(answer.body as Tokens);
  }

  /** Ends the session, by its refresh token or by the access token; returns what it had been known by. */
  async signOut(): Promise<Record<string, string>> {
    const { credentials } = this.caller;
    const json = this.caller.random.chance(0.5) ? { refresh_token: this.refreshToken } : {};
    await this.caller.callSurely('POST', '/api/v1/auth/logout', { json });
    return credentials;
  }

  /** Ends all sessions of the account; returns what this one had been known by. */
  async signOutEverywhere(): Promise<Record<string, string>> {
    const { credentials } = this.caller;
    await this.caller.callSurely('DELETE', '/api/v1/users/me/sessions');
    return credentials;
  }

  /** Takes another password; returns what the session had been known by before. */
  async changePassword(): Promise<Record<string, string>> {
    const { credentials, random } = this.caller;
    const json = { current_password: this.password, new_password: `simulated-words-${random.hex(8)}` };
    const answer = await this.caller.call('POST', '/api/v1/auth/password', { json });
    // Where the answer was lost, whichever of the two signs in tells.
    if (isLost(answer) || answer.status >= 500) {
      const known = await this.caller.callSurely('POST', '/api/v1/auth/login', {
        json: { username: this.username, password: json.new_password },
        isAnonymous: true,
      });
      if (known?.status === 200) this.password = json.new_password;
    } else if (answer.status === 200) {
      this.password = json.new_password;
      this.caller.credentials = {
        authorization: `Bearer ${(answer.body as { access_token: string }).access_token}`,
      };
    }
    return credentials;
  }

  /** A request that is not repeated, but for a new access token; null where its answer was lost. */
  async call(...request: Parameters<Caller['call']>): Promise<Answer | null> {
    const answer = await this.caller.call(...request);
    if (isLost(answer)) return null;
    if (answer.status !== 401) return answer;
    await this.refresh();
    const again = await this.caller.call(...request);
    return isLost(again) ? null : again;
  }

  /** A request that is repeated until it is answered: it must have an Idempotency-Key, or do no harm twice. */
  async surely(...request: Parameters<Caller['callSurely']>): Promise<Answer | null> {
    const answer = await this.caller.callSurely(...request);
    if (answer?.status !== 401) return answer;
    await this.refresh();
    return this.caller.callSurely(...request);
  }

  private async refresh(): Promise<void> {
    const options = { json: { refresh_token: this.refreshToken }, isAnonymous: true };
    const answer = await this.caller.callSurely('POST', '/api/v1/auth/refresh', options);
    if (answer?.status === 200) this.keep(answer.body as Tokens);
    else await this.signIn();
  }

  private keep({ access_token, refresh_token }: Tokens): void {
    this.refreshToken = refresh_token;
    this.caller.credentials = { authorization: `Bearer ${access_token}` };
  }
}

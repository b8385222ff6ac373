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

  constructor(
    readonly caller: Caller,
    private readonly username = caller.name,
  ) {}

  /** Makes the account, and returns its id. */
  async register(): Promise<string> {
    const json = { username: this.username, email: `${this.username}@example.com`, password: adminPassword };
    const answer = await this.caller.call('POST', '/api/v1/auth/register', { json });
    const { id } = bodyOf<{ id: string }>(answer, 201);
    await this.signIn();
    return id;
  }

  async signIn(): Promise<void> {
    const json = { username: this.username, password: adminPassword };
    const answer = await this.caller.callSurely('POST', '/api/v1/auth/login', { json, isAnonymous: true });
    if (answer?.status === 200) this.keep(answer.body as Tokens);
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

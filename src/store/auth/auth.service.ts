import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../../common/auth/access-tokens.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { type Hashing, type HashingPlace, Passwords } from '../../common/crypto/passwords.js';
import { Conflict, RuleBroken } from '../../common/errors/kinds.js';
import { limitedAddressOf } from '../../common/net/caller-address.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccountStateService } from '../users/account-state.service.js';
import { LoginAttempts } from '../users/login-attempts.js';
import { AuthRepository } from './auth.repository.js';
import type { PasswordChange, Token } from './auth.shapes.js';

/** Changes passwords. */
@Injectable()
export class AuthService {
  constructor(
    private readonly repository: AuthRepository,
    private readonly passwords: Passwords,
    private readonly tokens: AccessTokens,
    private readonly attempts: LoginAttempts,
    private readonly accountState: AccountStateService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Changes the caller's password, ends all tokens and all other sessions, and returns a new access token. `RuleBroken`
   * for a wrong current password, `TooManyRequests` after wrong ones, `Conflict` when another change came first.
   */
  async changePassword(caller: CallerIdentity, change: PasswordChange, ip: string | undefined): Promise<Token> {
    const { id } = caller;
    const place: HashingPlace = { queue: 'change', address: limitedAddressOf(ip) };
    const oldHash = await this.passwords.enqueue(place, ({ matches }) => this.provePassword(id, change, ip, matches));
    const newHash = await this.passwords.hash(change.new_password, place);
    const changed = () => this.accountState.changePassword(id, oldHash, newHash);
    const access_token = await this.sessions.endOthers(caller, changed);
    if (access_token === null) {
      throw new Conflict('The password was changed at the same moment: sign in with the new one', 'password_changed');
    }
    return { access_token, token_type: 'bearer', expires_in: this.tokens.seconds };
  }

  /** Returns the hash of the current password, once the caller has proven that they know it. */
  private async provePassword(
    id: string,
    { current_password }: PasswordChange,
    ip: string | undefined,
    matches: Hashing['matches'],
  ): Promise<string> {
    const attempt = this.attempts.at('password', id, ip);
    await this.attempts.count(attempt);
    const hash = await this.repository.passwordHash(id);
    if (!(await matches(hash, current_password)) || hash === null) {
      await this.attempts.fail(attempt, { action: 'user.password_failed', userId: id });
      throw new RuleBroken('The current password is wrong', 'wrong_password');
    }
    await this.attempts.clear(attempt);
    return hash;
  }
}

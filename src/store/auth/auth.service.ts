import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../../platform/auth/access-tokens.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { type Hashing, type HashingPlace, Passwords } from '../../platform/crypto/passwords.js';
import { Conflict, RuleBroken } from '../../platform/errors/errors.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccountStateService } from '../users/account-state.service.js';
import { LoginAttempts } from '../users/login-attempts.js';
import { PasswordRules } from '../users/password-rules.js';
import { AuthRepository, type PasswordOwner } from './auth.repository.js';
import type { PasswordChange, Token } from './auth.dto.js';

/** Changes passwords, and checks those of signed-in callers. */
@Injectable()
export class AuthService {
  constructor(
    private readonly repository: AuthRepository,
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
    private readonly tokens: AccessTokens,
    private readonly attempts: LoginAttempts,
    private readonly accountState: AccountStateService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Changes the caller's password, ends all tokens and all other sessions, and returns a new access token. `RuleBroken`
   * for a wrong current password, `Invalid` for a new one that is easily guessed, `TooManyRequests` after wrong ones, `Conflict` when another change came first.
   */
  async changePassword(caller: CallerIdentity, change: PasswordChange, ip: string | undefined): Promise<Token> {
    const { id } = caller;
    const place: HashingPlace = { queue: 'change', address: limitedAddressOf(ip) };
    const { current_password } = change;
    const prove = ({ matches }: Hashing) => this.provePassword(id, current_password, ip, matches);
    const owner = await this.passwords.enqueue(place, prove);
    await this.rules.assertGood('new_password', change.new_password, owner);
    const newHash = await this.passwords.hash(change.new_password, place);
    const changed = () => this.accountState.changePassword(id, owner.hash, newHash);
    const access_token = await this.sessions.endOthers(caller, changed);
    if (access_token === null) {
      throw new Conflict('The password was changed at the same moment: sign in with the new one', 'password_changed');
    }
    return { access_token, token_type: 'bearer', expires_in: this.tokens.seconds };
  }

  /** `RuleBroken` unless this is the password of the account, `TooManyRequests` after wrong ones. */
  async assertPassword(id: string, password: string, ip: string | undefined): Promise<void> {
    const place: HashingPlace = { queue: 'login', address: limitedAddressOf(ip) };
    await this.passwords.enqueue(place, ({ matches }) => this.provePassword(id, password, ip, matches));
  }

  /** Returns the caller's names and the hash of the current password, once they have proven that they know it. */
  private async provePassword(
    id: string,
    password: string,
    ip: string | undefined,
    matches: Hashing['matches'],
  ): Promise<PasswordOwner> {
    const attempt = await this.attempts.count(this.attempts.ofCaller('password', id, ip));
    const owner = await this.repository.passwordOwner(id);
    if (!(await matches(owner?.hash ?? null, password)) || owner === null) {
      await this.attempts.fail(attempt, { action: 'user.password_failed', userId: id });
      throw new RuleBroken('The current password is wrong', 'wrong_password');
    }
    await this.attempts.clear(attempt);
    return owner;
  }
}

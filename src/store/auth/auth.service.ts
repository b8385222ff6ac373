import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../../common/auth/access-tokens.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { Passwords } from '../../common/crypto/passwords.js';
import { Conflict, Unauthenticated } from '../../common/errors/kinds.js';
import { Changes } from '../../database/changes.js';
import { GuessLimits } from '../users/guess-limits.js';
import { standingOf } from '../users/user-topics.js';
import { UsersService } from '../users/users.service.js';
import type { User, UserCreate } from '../users/users.shapes.js';
import { AuthRepository } from './auth.repository.js';
import type { PasswordChange, Token } from './auth.shapes.js';

/** Registration and passwords. */
@Injectable()
export class AuthService {
  constructor(
    private readonly repository: AuthRepository,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly tokens: AccessTokens,
    private readonly guesses: GuessLimits,
    private readonly changes: Changes,
  ) {}

  /** Makes an account. `Conflict` for a username or e-mail that is taken, `RuleBroken` for an unknown referral code. */
  async register({ password, referral_code, ...profile }: UserCreate): Promise<User> {
    const passwordHash = await this.passwords.hash(password);
    return this.users.create({ ...profile, passwordHash, referrer: referral_code ?? null });
  }

  /**
   * Changes the caller's password, ends all tokens and answers a new one. `Unauthenticated` for a wrong present
   * password, `TooManyRequests` after wrong ones, `Conflict` when another change came first.
   */
  async changePassword({ id }: CallerIdentity, change: PasswordChange, ip: string | undefined): Promise<Token> {
    const guess = this.guesses.guess('password', id, ip);
    const version = await this.passwords.inTurn(async ({ hash, matches }) => {
      await this.guesses.take(guess);
      const present = await this.repository.passwordHash(id);
      if (!(await matches(present, change.current_password)) || present === null) {
        await this.guesses.wrong(guess);
        throw new Unauthenticated('The current password is wrong', 'wrong_credentials');
      }
      await this.guesses.clear(guess);
      return this.repository.changePassword(id, present, await hash(change.new_password));
    });
    if (version === null) {
      throw new Conflict('The password was changed at the same moment: sign in with the new one', 'password_changed');
    }
    this.changes.touch([standingOf(id)]);
    return { access_token: await this.tokens.issue(id, version), token_type: 'bearer' };
  }
}

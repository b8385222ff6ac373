import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../../common/auth/access-tokens.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { type Hashing, type HashingPlace, Passwords } from '../../common/crypto/passwords.js';
import { Conflict, RuleBroken } from '../../common/errors/kinds.js';
import { Changes } from '../../database/changes.js';
import { limitedAddressOf } from '../../common/net/caller-address.js';
import { GuessLimits } from '../users/guess-limits.js';
import { accountStateOf } from '../users/user-cache-tags.js';
import { AuthRepository } from './auth.repository.js';
import type { PasswordChange, Token } from './auth.shapes.js';

/** Passwords. */
@Injectable()
export class AuthService {
  constructor(
    private readonly repository: AuthRepository,
    private readonly passwords: Passwords,
    private readonly tokens: AccessTokens,
    private readonly guesses: GuessLimits,
    private readonly changes: Changes,
  ) {}

  /**
   * Changes the caller's password, ends all tokens and returns a new one. `RuleBroken` for a wrong present
   * password, `TooManyRequests` after wrong ones, `Conflict` when another change came first.
   */
  async changePassword({ id }: CallerIdentity, change: PasswordChange, ip: string | undefined): Promise<Token> {
    const place: HashingPlace = { line: 'change', address: limitedAddressOf(ip) };
    const present = await this.passwords.inTurn(place, ({ matches }) => this.provePassword(id, change, ip, matches));
    const newHash = await this.passwords.hash(change.new_password, place);
    const version = await this.repository.changePassword(id, present, newHash);
    if (version === null) {
      throw new Conflict('The password was changed at the same moment: sign in with the new one', 'password_changed');
    }
    this.changes.invalidate([accountStateOf(id)]);
    return { access_token: await this.tokens.issue(id, version), token_type: 'bearer' };
  }

  /** The hash of the caller's present password, once it is proven that they know it. */
  private async provePassword(
    id: string,
    { current_password }: PasswordChange,
    ip: string | undefined,
    matches: Hashing['matches'],
  ): Promise<string> {
    const guess = this.guesses.guess('password', id, ip);
    await this.guesses.take(guess);
    const present = await this.repository.passwordHash(id);
    if (!(await matches(present, current_password)) || present === null) {
      await this.guesses.wrong(guess);
      throw new RuleBroken('The current password is wrong', 'wrong_password');
    }
    await this.guesses.clear(guess);
    return present;
  }
}

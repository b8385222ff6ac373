import { Injectable } from '@nestjs/common';
import { Passwords } from '../../platform/crypto/passwords.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { Rates } from '../../platform/quotas/rates.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountMails } from '../account-mail/account-mails.js';
import { PasswordRules } from '../users/password-rules.js';
import { isReservedName } from '../users/reserved-names.js';
import { UsersService } from '../users/users.service.js';
import type { User, UserCreate } from '../users/users.dto.js';
import { Invalid } from '../../platform/errors/invalid.js';

/** Throws `Invalid` for a reserved username. */
function assertNotReserved(username: string): void {
  if (!isReservedName(username)) return;
  const msg = 'This username is reserved for the shop: choose another one';
  throw Invalid.at(['body', 'username'], 'value_error', msg, username);
}

/** Registers accounts. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
    private readonly rates: Rates,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes an account. `Invalid` for a username that is reserved and a password that is easily guessed, `Conflict` for a username or e-mail that is taken,
   * `RuleBroken` for an unknown referral code, `RateExceeded` after too many from one address.
   */
  async register({ password, referral_code, ...profile }: UserCreate, ip: string | undefined): Promise<User> {
    assertNotReserved(profile.username);
    await this.rules.assertGood('password', password, profile);
    const address = limitedAddressOf(ip);
    if (address !== undefined) await this.rates.take('registrations', address);
    const passwordHash = await this.passwords.hash(password, { queue: 'registration', address });
    return this.unitOfWork.run(async () => {
      const user = await this.users.create({ ...profile, passwordHash, referrer: referral_code ?? null });
      await this.mails.welcome(user);
      return user;
    });
  }
}

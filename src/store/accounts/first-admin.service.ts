import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../../platform/crypto/passwords.js';
import { Conflict } from '../../platform/errors/errors.js';
import { StartError } from '../../config/start-error.js';
import { AccountStateService } from '../users/account-state.service.js';
import { PasswordRules } from '../users/password-rules.js';
import { UsersService } from '../users/users.service.js';

const generatedPasswordBytes = 18;

interface FirstAdmin {
  id?: string | undefined;
  username: string;
  email: string;
  /** The service generates one where none is given. */
  password?: string | undefined;
}

/** Makes the first admin of a new service. */
@Injectable()
export class FirstAdminService {
  constructor(
    private readonly accountState: AccountStateService,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
  ) {}

  /**
   * Makes the first admin unless there is an admin, once even when several nodes start together. `StartError` where another
   * account has the username or e-mail, and for a password that is easily guessed.
   */
  async ensure({
    id,
    username,
    email,
    password,
  }: FirstAdmin): Promise<{ created: boolean; generatedPassword?: string }> {
    if (await this.accountState.hasAdmin()) return { created: false };
    const fault = password === undefined ? null : await this.rules.fault(password, { username, email });
    if (fault !== null) throw new StartError(`ADMIN_PASSWORD cannot be used. ${fault}`);
    const chosen = password ?? randomBytes(generatedPasswordBytes).toString('base64url');
    const passwordHash = await this.passwords.hash(chosen, { queue: 'registration' });
    try {
      await this.users.create({ id, username, email, passwordHash, role: 'admin', canBeDeleted: false });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (await this.accountState.hasAdmin()) return { created: false };
      throw new StartError(
        `ADMIN_USERNAME ${username} or ADMIN_EMAIL belongs to an account that is not an admin: set others`,
      );
    }
    return password === undefined ? { created: true, generatedPassword: chosen } : { created: true };
  }
}

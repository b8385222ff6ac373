import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../../common/crypto/passwords.js';
import { Conflict } from '../../common/errors/kinds.js';
import { StartError } from '../../config/start-error.js';
import { UsersService } from '../users/users.service.js';
import { AccountsRepository } from './accounts.repository.js';

const generatedPasswordBytes = 18;

interface FirstAdmin {
  username: string;
  email: string;
  /** Generated where it is left out. */
  password?: string | undefined;
}

/** The account by which a new service is entered. */
@Injectable()
export class FirstAdminService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Makes the first admin, where there is no admin yet, on however many nodes at once. `StartError` where another
   * account has its username or e-mail.
   */
  async ensure({ username, email, password }: FirstAdmin): Promise<{ created: boolean; generatedPassword?: string }> {
    if (await this.repository.hasAdmin()) return { created: false };
    const chosen = password ?? randomBytes(generatedPasswordBytes).toString('base64url');
    const passwordHash = await this.passwords.hash(chosen, { line: 'registration' });
    try {
      await this.users.create({ username, email, passwordHash, role: 'admin', canBeDeleted: false });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (await this.repository.hasAdmin()) return { created: false };
      throw new StartError(
        `ADMIN_USERNAME ${username} or ADMIN_EMAIL belongs to an account that is no admin: set others`,
      );
    }
    return password === undefined ? { created: true, generatedPassword: chosen } : { created: true };
  }
}

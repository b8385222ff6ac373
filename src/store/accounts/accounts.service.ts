import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { Passwords } from '../../common/crypto/passwords.js';
import { Conflict } from '../../common/errors/kinds.js';
import { AccountRemovals } from '../../common/removal-steps.js';
import { StartError } from '../../config/start-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { StandingService } from '../users/standing.service.js';
import { UsersService } from '../users/users.service.js';
import { AccountsRepository } from './accounts.repository.js';
import type { AccountDeleted } from './accounts.shapes.js';

const generatedPasswordBytes = 18;

interface FirstAdmin {
  username: string;
  email: string;
  /** Generated where it is left out. */
  password?: string | undefined;
}

/** What touches many rooms at once: the first admin, and the end of an account. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly users: UsersService,
    private readonly standing: StandingService,
    private readonly passwords: Passwords,
    private readonly unitOfWork: UnitOfWork,
    private readonly removals: AccountRemovals,
  ) {}

  /** Deletes the caller's own account. Refuses as `remove` does. */
  async removeOwn({ id }: CallerIdentity): Promise<AccountDeleted> {
    await this.remove(id);
    return { message: 'The account is deleted' };
  }

  /**
   * Deletes an account: its personal data, cart, reviews and testimonials go, its tokens end; its orders stay.
   * `NotFound` where there is none, `Forbidden` where it cannot be deleted, `Conflict` for the last admin, of the
   * service or of an organization that has other members.
   */
  remove(userId: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.standing.lockForRemoval(userId);
      await this.removals.run(userId);
      // Not shown: the addresses of orders. They are personal data, so they go; country, prices and lines stay.
      await this.repository.scrub(userId);
    });
  }

  /**
   * Makes the first admin, where there is no admin yet, on however many nodes at once. `StartError` where another
   * account has its username or e-mail.
   */
  async ensureAdmin({
    username,
    email,
    password,
  }: FirstAdmin): Promise<{ created: boolean; generatedPassword?: string }> {
    if (await this.repository.hasAdmin()) return { created: false };
    const chosen = password ?? randomBytes(generatedPasswordBytes).toString('base64url');
    const passwordHash = await this.passwords.hash(chosen);
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

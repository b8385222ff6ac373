import { Injectable } from '@nestjs/common';
import { Conflict, Forbidden, found } from '../../common/errors/kinds.js';
import { isUuid } from '../../common/validation/check-value.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type LockedUser, AccountStateRepository } from './account-state.repository.js';
import { accountStateOf } from './user-cache-tags.js';
import type { User, UserStanding } from './users.shapes.js';

/** Who is an admin, and whose account may go. There is always an admin. */
@Injectable()
export class AccountStateService {
  constructor(
    private readonly repository: AccountStateRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
  ) {}

  /**
   * Changes an account's role and whether it can be deleted; another role ends its tokens. `NotFound` where there is
   * none, `Conflict` for taking the role from the last admin.
   */
  change(userId: string, { role, can_be_deleted }: UserStanding): Promise<User> {
    return this.unitOfWork.run(async () => {
      const { user, otherAdmins } = await this.lock(userId);
      if (user.role === 'admin' && role === 'user' && otherAdmins === 0) {
        throw new Conflict('This is the last admin: make another one first', 'last_admin');
      }
      this.changes.invalidate([accountStateOf(user.id)]);
      return found(await this.repository.change(userId, role ?? null, can_be_deleted ?? null), 'User');
    });
  }

  /**
   * Locks an account that is to be deleted until the unit of work ends. `NotFound` where there is none, `Forbidden`
   * where it cannot be deleted, `Conflict` for the last admin.
   */
  async lockForRemoval(userId: string): Promise<void> {
    const { user, otherAdmins } = await this.lock(userId);
    if (!user.can_be_deleted) throw new Forbidden('This account cannot be deleted', 'cannot_be_deleted');
    if (user.role === 'admin' && otherAdmins === 0) {
      throw new Conflict('This is the last admin: make another one first', 'last_admin');
    }
  }

  private async lock(userId: string): Promise<{ user: LockedUser; otherAdmins: number }> {
    const locked = isUuid(userId) ? await this.repository.lockWithAdmins(userId) : [];
    const user = found(
      locked.find(({ id }) => id === userId.toLowerCase()),
      'User',
    );
    return { user, otherAdmins: locked.filter(({ id, role }) => role === 'admin' && id !== user.id).length };
  }
}

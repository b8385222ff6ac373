import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { type AuditActor, userActor } from '../../platform/audit/audit-actor.js';
import { AuditLog, type AuditRecord } from '../../platform/audit/audit-log.js';
import { Conflict, Forbidden, found } from '../../platform/errors/errors.js';
import { isUuid } from '../../platform/validation/check-value.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { MailAccounts } from '../../platform/mail/mail.js';
import { AccountMails, type MailedAccount } from '../account-mail/account-mails.js';
import { MailTokensService } from '../account-mail/mail-tokens.service.js';
import { notices } from '../account-mail/security-notices.js';
import { SecurityMails } from '../account-mail/security-mails.js';
import { AccountStateRepository, type LockedUser } from './account-state.repository.js';
import { LoginAttempts } from './login-attempts.js';
import type { RoleSource } from './role-source.js';
import { accountStateOf } from './user-cache-tags.js';
import type { AccountStateUpdate, User } from './users.dto.js';

/** The state of accounts: roles, deletability and valid tokens. It never lets the last admin go. */
@Injectable()
export class AccountStateService implements MailAccounts {
  constructor(
    private readonly repository: AccountStateRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly audit: AuditLog,
    private readonly mailTokens: MailTokensService,
    private readonly mails: AccountMails,
    private readonly securityMails: SecurityMails,
    private readonly attempts: LoginAttempts,
  ) {}

  /** Whether there is an admin. */
  hasAdmin(): Promise<boolean> {
    return this.repository.hasAdmin();
  }

  /** Whether the account exists and is not deleted. */
  async exists(userId: string): Promise<boolean> {
    return (await this.repository.byId(userId)) !== null;
  }

  /**
   * Changes an account's role, whether it can be deleted, and whether its owner may sign in; another role and a
   * suspension end its tokens. `NotFound` if there is none, `Conflict` for demoting or suspending the last admin.
   */
  change(userId: string, update: AccountStateUpdate): Promise<User> {
    return this.unitOfWork.run(async () =>
      this.changeLocked(await this.lock(userId), update, update.role === undefined ? null : 'hand'),
    );
  }

  /**
   * Gives or takes the role of an admin by the groups of a user at the provider of OpenID Connect; what was set by hand
   * stays. Another role ends the tokens of the account. `Conflict` for taking it from the last admin.
   */
  changeByGroups(userId: string, isAdmin: boolean): Promise<void> {
    return this.unitOfWork.run(async () => {
      const locked = await this.lock(userId);
      const { role, role_source } = locked.user;
      if (isAdmin && role === 'user' && role_source !== 'hand') {
        await this.changeLocked(locked, { role: 'admin' }, 'groups', userActor(userId));
      }
      if (!isAdmin && role === 'admin' && role_source === 'groups') {
        await this.changeLocked(locked, { role: 'user' }, 'default', userActor(userId));
      }
    });
  }

  private async changeLocked(
    { user, isLastAdmin }: LockedAccount,
    { role, can_be_deleted, suspended }: AccountStateUpdate,
    roleSource: RoleSource | null,
    actor?: AuditActor,
  ): Promise<User> {
    const userId = user.id;
    if ((role === 'user' || suspended) && isLastAdmin) throw lastAdmin();
    this.changes.invalidate([accountStateOf(user.id)]);
    const change = {
      role: role ?? null,
      roleSource,
      canBeDeleted: can_be_deleted ?? null,
      suspended: suspended ?? null,
    };
    const changed = found(await this.repository.change(userId, change), 'User');
    await this.audit.record(
      {
        action: 'user.role_changed',
        subject: user,
        changes: changesOf(user, changed, { shown: ['role', 'role_source'] }),
        ...(actor && { actor }),
      },
      {
        action: 'user.protection_changed',
        subject: user,
        changes: changesOf(user, changed, { shown: ['can_be_deleted'] }),
      },
      {
        action: 'user.suspension_changed',
        subject: user,
        changes: changesOf(user, changed, { shown: ['suspended'] }),
      },
    );
    if (changed.suspended !== user.suspended) await this.mails.suspensionChanged(changed);
    if (changed.role !== user.role) await this.securityMails.send(userId, notices.roleChanged(changed.role));
    return changed;
  }

  /**
   * Replaces an account's password hash by another and ends all tokens. Returns the version of the next tokens, or null
   * where the account no longer has the old hash.
   */
  changePassword(userId: string, oldHash: string, newHash: string): Promise<number | null> {
    return this.unitOfWork.run(async () => {
      const version = await this.repository.changePassword(userId, oldHash, newHash);
      if (version === null) return null;
      await this.audit.record({ action: 'user.password_changed', subject: { id: userId } });
      await this.securityMails.send(userId, notices.passwordChanged());
      await this.attempts.forget(userId);
      // A link that somebody else requested would undo the change.
      await this.mailTokens.endLinksOf(userId);
      this.changes.invalidate([accountStateOf(userId)]);
      return version;
    });
  }

  /**
   * Sets the password of the account that still has this address, and ends all tokens. Returns the account, or null if
   * there is none.
   */
  async resetPassword(userId: string, email: string, hash: string): Promise<MailedAccount | null> {
    const account = await this.repository.resetPassword(userId, email, hash);
    if (!account) return null;
    await this.audit.record({ action: 'user.password_reset', subject: { id: userId }, actor: userActor(userId) });
    this.changes.invalidate([accountStateOf(userId)]);
    return account;
  }

  /** Ends all tokens of an account and returns the version of the next ones, or null if there is no account. */
  async endTokens(userId: string): Promise<number | null> {
    const version = await this.repository.endTokens(userId);
    this.changes.invalidate([accountStateOf(userId)]);
    return version;
  }

  /** Audits a change of an account's state, in its unit of work, and makes all nodes read that state again. */
  async audited(userId: string, record: Omit<AuditRecord, 'subject'>): Promise<void> {
    await this.audit.record({ ...record, subject: { id: userId } });
    this.changes.invalidate([accountStateOf(userId)]);
  }

  /**
   * Locks an account, mails its owner that it is signed out everywhere, and returns it. `NotFound` if there is none.
   */
  async tellSignedOut(userId: string): Promise<MailedAccount> {
    const account = found(isUuid(userId) ? await this.repository.lockRecipient(userId) : null, 'User');
    await this.mails.signedOut(account);
    return account;
  }

  /**
   * Locks an account until the unit of work ends, so that its deletion can follow, and audits it. `NotFound` where
   * there is none, `Forbidden` where it cannot be deleted, `Conflict` for the last admin.
   */
  async lockForRemoval(userId: string): Promise<void> {
    const { user, isLastAdmin } = await this.lock(userId);
    if (!user.can_be_deleted) throw new Forbidden('This account cannot be deleted', 'cannot_be_deleted');
    if (isLastAdmin) throw lastAdmin();
    await this.audit.record({ action: 'user.deleted', subject: user });
  }

  private async lock(userId: string): Promise<LockedAccount> {
    const locked = isUuid(userId) ? await this.repository.lockWithAdmins(userId) : [];
    const user = found(
      locked.find(({ id }) => id === userId.toLowerCase()),
      'User',
    );
    const hasOtherAdmin = locked.some(({ id, role, suspended }) => role === 'admin' && !suspended && id !== user.id);
    return { user, isLastAdmin: user.role === 'admin' && !hasOtherAdmin };
  }
}

interface LockedAccount {
  user: LockedUser;
  isLastAdmin: boolean;
}

function lastAdmin(): Conflict {
  return new Conflict('This is the last admin: make somebody else an admin first', 'last_admin');
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { CallerIdentity, Role } from '../../platform/auth/caller.js';
import { Database, statement } from '../../database/database.js';
import type { MailedAccount } from '../account-mail/account-mails.js';
import type { RoleSource } from './role-source.js';
import { UserEntity } from './user.entity.js';
import { userColumns } from './users.repository.js';
import type { User } from './users.dto.js';

/** The state that access tokens are checked against. */
export interface AccountState extends CallerIdentity {
  token_version: number;
  totp_enabled: boolean;
  /** The ended sessions whose access tokens may still be in use. */
  ended_sessions: string[];
}

export interface LockedUser {
  id: string;
  role: Role;
  role_source: RoleSource;
  can_be_deleted: boolean;
  suspended: boolean;
}

/** What to change of an account's state; null leaves it. */
export interface StateChange {
  role: Role | null;
  /** What gave the role. */
  roleSource: RoleSource | null;
  canBeDeleted: boolean | null;
  suspended: boolean | null;
}

const states = (condition: string): string => `
  SELECT id, username, role, token_version, totp_enabled,
         ARRAY(SELECT s.id FROM sessions s
                WHERE s.user_id = users.id AND s.ended_at IS NOT NULL AND s.expires_at > now()) AS ended_sessions
    FROM users WHERE ${condition} AND deleted_at IS NULL`;

const byId = statement('users.account-state', states('id = $1'));
const byIds = statement('users.account-states', states('id = ANY($1::uuid[])'));

@Injectable()
export class AccountStateRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
  ) {}

  byId(id: string): Promise<AccountState | null> {
    return this.database.shortReadOfRow<AccountState>(byId, [id]);
  }

  byIds(ids: string[]): Promise<AccountState[]> {
    return this.database.shortRead<AccountState>(byIds, [ids]);
  }

  hasAdmin(): Promise<boolean> {
    return this.users.existsBy({ role: 'admin', deletedAt: IsNull() });
  }

  /**
   * Locks an account and, if it is an admin's, all admins who can act with it, by id: of two admins who demote each
   * other, one waits for the other, and sees what that one did.
   */
  lockWithAdmins(id: string): Promise<LockedUser[]> {
    return this.database.rows<LockedUser>(
      `SELECT id, role, role_source, can_be_deleted, suspended_at IS NOT NULL AS suspended FROM users
        WHERE deleted_at IS NULL AND id IN (
          SELECT id FROM users WHERE id = $1
          UNION
          SELECT id FROM users
           WHERE role = 'admin' AND deleted_at IS NULL AND suspended_at IS NULL AND (SELECT role FROM users WHERE id = $1) = 'admin')
        ORDER BY id FOR UPDATE`,
      [id],
    );
  }

  /** Changes a locked account's state. Another role, and a suspension, end the account's tokens. */
  change(id: string, { role, roleSource, canBeDeleted, suspended }: StateChange): Promise<User | null> {
    return this.database.row<User>(
      `UPDATE users
          SET role = coalesce($2, role),
              role_source = coalesce($5, role_source),
              can_be_deleted = coalesce($3, can_be_deleted),
              suspended_at = CASE WHEN $4::boolean IS NULL THEN suspended_at
                                  WHEN $4 THEN coalesce(suspended_at, now()) END,
              token_version = token_version + (
                role <> coalesce($2, role) OR suspended_at IS NULL AND coalesce($4, false))::integer
        WHERE id = $1
        RETURNING ${userColumns}`,
      [id, role, canBeDeleted, suspended, roleSource],
    );
  }

  /** The account as mails need it; locks it until the unit of work ends. */
  lockRecipient(id: string): Promise<MailedAccount | null> {
    return this.database.row<MailedAccount>(
      'SELECT id, username, email FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [id],
    );
  }

  /** Ends all tokens of an account and returns the version of the next ones, or null if there is no account. */
  async endTokens(id: string): Promise<number | null> {
    const ended = await this.database.row<{ token_version: number }>(
      `UPDATE users SET token_version = token_version + 1 WHERE id = $1 AND deleted_at IS NULL RETURNING token_version`,
      [id],
    );
    return ended?.token_version ?? null;
  }

  /**
   * Sets the password of the account that still has this confirmed address, which it keeps in place of a new one that
   * is not confirmed, and ends all tokens. Returns the account, or null if there is none.
   */
  resetPassword(id: string, email: string, hash: string): Promise<MailedAccount | null> {
    return this.database.row<MailedAccount>(
      `UPDATE users
          SET password_hash = $3, token_version = token_version + 1, email_verified = true,
              email = coalesce(former_email, email), former_email = NULL
        WHERE id = $1 AND lower(CASE WHEN email_verified THEN email ELSE former_email END) = $2 AND deleted_at IS NULL
        RETURNING id, username, email`,
      [id, email.toLowerCase(), hash],
    );
  }

  /**
   * Replaces a password hash by another and ends all tokens. Returns the new version of the tokens, or null if the
   * account no longer has the old hash.
   */
  async changePassword(id: string, oldHash: string, newHash: string): Promise<number | null> {
    const changed = await this.database.row<{ token_version: number }>(
      `UPDATE users SET password_hash = $3, token_version = token_version + 1
        WHERE id = $1 AND password_hash = $2 AND deleted_at IS NULL
        RETURNING token_version`,
      [id, oldHash, newHash],
    );
    return changed?.token_version ?? null;
  }
}

import { Injectable } from '@nestjs/common';
import type { Role } from '../../common/auth/caller.js';
import { Database } from '../../database/database.js';
import { userColumns } from './users.repository.js';
import type { User } from './users.shapes.js';

export interface LockedUser {
  id: string;
  role: Role;
  can_be_deleted: boolean;
}

@Injectable()
export class AccountStateRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks an account and, where it is an admin's, all admins with it: in the order of ids, so that two admins who turn
   * on each other wait for one another, and the later one sees what the earlier one did.
   */
  lockWithAdmins(id: string): Promise<LockedUser[]> {
    return this.database.rows<LockedUser>(
      `SELECT id, role, can_be_deleted FROM users
        WHERE deleted_at IS NULL AND id IN (
          SELECT id FROM users WHERE id = $1
          UNION
          SELECT id FROM users
           WHERE role = 'admin' AND deleted_at IS NULL AND (SELECT role FROM users WHERE id = $1) = 'admin')
        ORDER BY id FOR UPDATE`,
      [id],
    );
  }

  /** Writes what is given of a locked account's standing; null leaves it. Another role ends the account's tokens. */
  change(id: string, role: Role | null, canBeDeleted: boolean | null): Promise<User | null> {
    return this.database.row<User>(
      `UPDATE users
          SET role = coalesce($2, role),
              can_be_deleted = coalesce($3, can_be_deleted),
              token_version = token_version + (role <> coalesce($2, role))::integer
        WHERE id = $1
        RETURNING ${userColumns}`,
      [id, role, canBeDeleted],
    );
  }
}

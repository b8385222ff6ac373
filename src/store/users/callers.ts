import { Injectable } from '@nestjs/common';
import { CallerDirectory, type CallerIdentity } from '../../common/auth/caller.js';
import { Database, statement } from '../../database/database.js';

const callerByToken = statement(
  'users.caller',
  `SELECT id, username, role FROM users WHERE id = $1 AND token_version = $2 AND deleted_at IS NULL`,
);

/** Knows the accounts behind access tokens. */
@Injectable()
export class Callers extends CallerDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  find(userId: string, tokenVersion: number): Promise<CallerIdentity | null> {
    return this.database.row<CallerIdentity>(callerByToken, [userId, tokenVersion]);
  }
}

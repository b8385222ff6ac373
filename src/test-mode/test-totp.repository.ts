import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

@Injectable()
export class TestTotpRepository {
  constructor(private readonly database: Database) {}

  /** The sealed secret of an account, or null where it has none. */
  secretOf(username: string): Promise<{ id: string; sealed: string } | null> {
    return this.database.row<{ id: string; sealed: string }>(
      `SELECT id, totp_secret AS sealed FROM users
        WHERE lower(username) = lower($1) AND deleted_at IS NULL AND totp_secret IS NOT NULL`,
      [username],
    );
  }
}

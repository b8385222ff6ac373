import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** The two-factor state of an account; the secret is sealed. */
export interface TotpState {
  totp_enabled: boolean;
  totp_secret: string | null;
}

@Injectable()
export class TotpRepository {
  constructor(private readonly database: Database) {}

  stateOf(userId: string): Promise<TotpState | null> {
    return this.database.row<TotpState>(
      'SELECT totp_enabled, totp_secret FROM users WHERE id = $1 AND deleted_at IS NULL',
      [userId],
    );
  }

  /** The state, locked until the unit of work ends. */
  lock(userId: string): Promise<TotpState | null> {
    return this.database.row<TotpState>(
      'SELECT totp_enabled, totp_secret FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
      [userId],
    );
  }

  /** Keeps a new secret for an account without two-factor login; answers whether it is without. */
  async prepare(userId: string, sealedSecret: string): Promise<boolean> {
    const prepared = await this.database.execute(
      `UPDATE users SET totp_secret = $2, totp_last_step = 0
        WHERE id = $1 AND NOT totp_enabled AND deleted_at IS NULL`,
      [userId, sealedSecret],
    );
    return prepared > 0;
  }

  async enable(userId: string, recoveryCodeHashes: string[]): Promise<void> {
    await this.database.execute(
      `WITH enabled AS (UPDATE users SET totp_enabled = true WHERE id = $1 RETURNING id)
       INSERT INTO recovery_codes (user_id, code_hash) SELECT id, unnest($2::text[]) FROM enabled`,
      [userId, recoveryCodeHashes],
    );
  }

  async disable(userId: string): Promise<void> {
    await this.database.execute(
      `WITH codes AS (DELETE FROM recovery_codes WHERE user_id = $1)
       UPDATE users SET totp_enabled = false, totp_secret = NULL WHERE id = $1`,
      [userId],
    );
  }

  /** Uses up a time step and all before it; answers whether it was unused. */
  async useStep(userId: string, step: number): Promise<boolean> {
    const used = await this.database.execute(
      'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2',
      [userId, step],
    );
    return used > 0;
  }

  /** Uses up a recovery code; answers whether it was there, unused. */
  async useRecoveryCode(userId: string, codeHash: string): Promise<boolean> {
    const used = await this.database.execute(
      'UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL',
      [userId, codeHash],
    );
    return used > 0;
  }
}

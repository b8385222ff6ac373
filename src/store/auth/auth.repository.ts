import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

export interface Credentials {
  id: string;
  password_hash: string;
  token_version: number;
  totp_enabled: boolean;
}

/** An account whose second login step is due; the secret is sealed. */
export interface ChallengedUser {
  id: string;
  username: string;
  token_version: number;
  totp_secret: string;
}

const challengeLifetime = `interval '5 minutes'`;
const wrongCodesAllowed = 5;
const forgottenAtOnce = 20;

const credentials = statement(
  'auth.credentials',
  `SELECT id, password_hash, token_version, totp_enabled
     FROM users WHERE lower(username) = $1 AND deleted_at IS NULL`,
);

/** Each new challenge makes up for some that ran out. */
const addChallenge = statement(
  'auth.add-challenge',
  `WITH old AS (
     DELETE FROM login_challenges WHERE token_hash IN (
       SELECT token_hash FROM login_challenges WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED))
   INSERT INTO login_challenges (token_hash, user_id, token_version, expires_at)
   VALUES ($1, $2, $3, now() + ${challengeLifetime})`,
);

const lockChallenged = statement(
  'auth.lock-challenged',
  `SELECT id, username, token_version, totp_secret FROM users
    WHERE id = (SELECT user_id FROM login_challenges WHERE token_hash = $1)
      AND totp_enabled AND deleted_at IS NULL
    FOR UPDATE`,
);

const countCode = statement(
  'auth.count-code',
  `UPDATE login_challenges SET wrong_codes = wrong_codes + 1
    WHERE token_hash = $1 AND token_version = $2 AND wrong_codes < ${wrongCodesAllowed} AND expires_at > now()`,
);

@Injectable()
export class AuthRepository {
  constructor(private readonly database: Database) {}

  credentials(username: string): Promise<Credentials | null> {
    return this.database.row<Credentials>(credentials, [username.toLowerCase()]);
  }

  async addChallenge(tokenHash: string, userId: string, tokenVersion: number): Promise<void> {
    await this.database.execute(addChallenge, [tokenHash, userId, tokenVersion]);
  }

  /** The account that a challenge is for, locked until the unit of work ends. */
  lockChallenged(tokenHash: string): Promise<ChallengedUser | null> {
    return this.database.row<ChallengedUser>(lockChallenged, [tokenHash]);
  }

  /** Counts a code against a challenge before it is tried; answers whether the challenge still takes one. */
  async countCode(tokenHash: string, tokenVersion: number): Promise<boolean> {
    return (await this.database.execute(countCode, [tokenHash, tokenVersion])) > 0;
  }

  async removeChallenge(tokenHash: string): Promise<void> {
    await this.database.execute('DELETE FROM login_challenges WHERE token_hash = $1', [tokenHash]);
  }

  async passwordHash(userId: string): Promise<string | null> {
    const user = await this.database.row<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE id = $1 AND deleted_at IS NULL',
      [userId],
    );
    return user?.password_hash ?? null;
  }

  /**
   * Puts one password hash in the place of another and ends all tokens; answers the tokens' new version, or null where
   * the old hash is no longer there.
   */
  async changePassword(userId: string, oldHash: string, newHash: string): Promise<number | null> {
    const changed = await this.database.row<{ token_version: number }>(
      `UPDATE users SET password_hash = $3, token_version = token_version + 1
        WHERE id = $1 AND password_hash = $2 AND deleted_at IS NULL
        RETURNING token_version`,
      [userId, oldHash, newHash],
    );
    return changed?.token_version ?? null;
  }
}

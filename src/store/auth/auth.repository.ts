import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { Role } from '../../platform/auth/caller.js';
import { Database, statement } from '../../database/database.js';
import { UserEntity } from '../users/user.entity.js';
import { LoginChallengeEntity } from './login-challenge.entity.js';
import type { Voucher } from './token-responses.js';

export interface Credentials {
  id: string;
  password_hash: string;
  token_version: number;
  role: Role;
  totp_enabled: boolean;
  suspended: boolean;
}

export interface PasswordOwner {
  hash: string;
  username: string;
  email: string;
}

/** An account that has yet to take its second login step; its secret is sealed. */
export interface ChallengedUser {
  id: string;
  username: string;
  token_version: number;
  totp_secret: string;
  /** Of the provider that the login began with. */
  voucher: Voucher | null;
}

const challengeLifetime = `interval '5 minutes'`;
const wrongCodesAllowed = 5;
const deletedAtOnce = 20;

const credentials = statement(
  'auth.credentials',
  `SELECT id, password_hash, token_version, role, totp_enabled, suspended_at IS NOT NULL AS suspended
     FROM users WHERE lower(username) = $1 AND deleted_at IS NULL`,
);

/** Each new challenge deletes some expired ones. */
const addChallenge = statement(
  'auth.add-challenge',
  `WITH old AS (
     DELETE FROM login_challenges WHERE token_hash IN (
       SELECT token_hash FROM login_challenges WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED))
   INSERT INTO login_challenges (token_hash, user_id, token_version, voucher, expires_at)
   VALUES ($1, $2, $3, $4::jsonb, now() + ${challengeLifetime})`,
);

const challengedUser = statement(
  'auth.challenged-user',
  `SELECT user_id FROM login_challenges WHERE token_hash = $1 AND expires_at > now()`,
);

const lockChallenged = statement(
  'auth.lock-challenged',
  `SELECT u.id, u.username, u.token_version, u.totp_secret, c.voucher
     FROM users u JOIN login_challenges c ON c.user_id = u.id
    WHERE c.token_hash = $1 AND u.totp_enabled AND u.deleted_at IS NULL AND u.suspended_at IS NULL
    FOR UPDATE OF u`,
);

const countCode = statement(
  'auth.count-code',
  `UPDATE login_challenges SET wrong_codes = wrong_codes + 1
    WHERE token_hash = $1 AND token_version = $2 AND wrong_codes < ${wrongCodesAllowed} AND expires_at > now()`,
);

@Injectable()
export class AuthRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(LoginChallengeEntity) private readonly challenges: Repository<LoginChallengeEntity>,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
  ) {}

  credentials(username: string): Promise<Credentials | null> {
    return this.database.row<Credentials>(credentials, [username.toLowerCase()]);
  }

  async addChallenge(
    tokenHash: string,
    { userId, tokenVersion, voucher }: Pick<LoginChallengeEntity, 'userId' | 'tokenVersion' | 'voucher'>,
  ): Promise<void> {
    await this.database.execute(addChallenge, [tokenHash, userId, tokenVersion, voucher && JSON.stringify(voucher)]);
  }

  /** The id of the account of a challenge that has not expired. */
  async challengedUser(tokenHash: string): Promise<string | null> {
    return (await this.database.row<{ user_id: string }>(challengedUser, [tokenHash]))?.user_id ?? null;
  }

  /** The account of a challenge; locks it until the unit of work ends. */
  lockChallenged(tokenHash: string): Promise<ChallengedUser | null> {
    return this.database.row<ChallengedUser>(lockChallenged, [tokenHash]);
  }

  /** Counts a code against a challenge before checking it; returns whether the challenge still takes one. */
  async countCode(tokenHash: string, tokenVersion: number): Promise<boolean> {
    return (await this.database.execute(countCode, [tokenHash, tokenVersion])) > 0;
  }

  async removeChallenge(tokenHash: string): Promise<void> {
    await this.challenges.delete({ tokenHash });
  }

  /** The hash of an account's password, with the names that may not be the next one. */
  async passwordOwner(userId: string): Promise<PasswordOwner | null> {
    const select = { id: true, passwordHash: true, username: true, email: true };
    const user = await this.users.findOne({ select, where: { id: userId, deletedAt: IsNull() } });
    return user && { hash: user.passwordHash, username: user.username ?? '', email: user.email ?? '' };
  }
}

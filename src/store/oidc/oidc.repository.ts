import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Role } from '../../platform/auth/caller.js';
import { Database, statement } from '../../database/database.js';
import { OidcIdentityEntity } from './oidc-identity.entity.js';
import { type LoginPurpose, OidcLoginEntity } from './oidc-login.entity.js';
import { OidcSessionEntity } from './oidc-session.entity.js';

/** How long a sign-in may take. */
export const loginSeconds = 600;
const deletedAtOnce = 20;

/** Each new sign-in deletes some expired ones. */
const addLogin = statement(
  'oidc.add-login',
  `WITH old AS (
     DELETE FROM oidc_logins WHERE token_hash IN (
       SELECT token_hash FROM oidc_logins WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED))
   INSERT INTO oidc_logins (token_hash, purpose, user_id, device_code, poll_seconds, next_poll_at, expires_at)
   VALUES ($1, $2, $3, $4, $5::integer, now() + $5::integer * interval '1 second', now() + $6::integer * interval '1 second')`,
);

/** Takes a sign-in, which works once. */
const takeLogin = statement(
  'oidc.take-login',
  `DELETE FROM oidc_logins WHERE token_hash = $1 AND purpose = ANY ($2::text[]) AND expires_at > now()
   RETURNING purpose, user_id AS "userId"`,
);

/** The device of a sign-in; `isDue` where it may be asked for now, which counts as asking. */
const pollDevice = statement(
  'oidc.poll-device',
  `WITH due AS (
     UPDATE oidc_logins SET next_poll_at = now() + poll_seconds * interval '1 second'
      WHERE token_hash = $1 AND purpose = 'device' AND expires_at > now() AND next_poll_at <= now() + interval '1 second'
     RETURNING token_hash)
   SELECT device_code AS "deviceCode", EXISTS (SELECT FROM due) AS "isDue"
     FROM oidc_logins WHERE token_hash = $1 AND purpose = 'device' AND expires_at > now()`,
);

/** RFC 8628, section 3.5: five seconds more from then on. */
const slowDown = statement(
  'oidc.slow-down',
  `UPDATE oidc_logins
      SET poll_seconds = least(poll_seconds + 5, 60), next_poll_at = now() + least(poll_seconds + 5, 60) * interval '1 second'
    WHERE token_hash = $1`,
);

const lockSubject = statement('oidc.lock-subject', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

const account = statement(
  'oidc.account',
  `SELECT id, role, token_version AS "tokenVersion", totp_enabled AS "totpEnabled", suspended_at IS NOT NULL AS suspended
     FROM users WHERE id = $1 AND deleted_at IS NULL`,
);

const linkedAccount = statement(
  'oidc.linked-account',
  `UPDATE oidc_identities SET last_used_at = now(), name = $3 WHERE issuer = $1 AND subject = $2
   RETURNING id AS "identityId", user_id AS "userId"`,
);

const takenNames = statement(
  'oidc.taken-names',
  `SELECT lower(username) AS name FROM users WHERE lower(username) = ANY ($1::text[])`,
);

/** Locks the account, so that its password does not go while its link goes. */
const hasPassword = statement(
  'oidc.has-password',
  `SELECT password_hash LIKE '$argon2%' AS "hasPassword" FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

const sessionsOf = statement(
  'oidc.sessions-of',
  `SELECT o.session_id AS id
     FROM oidc_sessions o JOIN oidc_identities i ON i.id = o.identity_id
    WHERE i.issuer = $1 AND i.subject = coalesce($2, i.subject) AND ($3::text IS NULL OR o.sid = $3)
    ORDER BY o.session_id`,
);

/** Each token that is taken deletes some that have expired. */
const takeLogoutToken = statement(
  'oidc.take-logout-token',
  `WITH old AS (
     DELETE FROM oidc_logout_tokens WHERE digest IN (
       SELECT digest FROM oidc_logout_tokens WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED))
   INSERT INTO oidc_logout_tokens (digest, expires_at) VALUES ($1, now() + $2::integer * interval '1 second')
   ON CONFLICT (digest) DO NOTHING`,
);

/** A sign-in to be begun. */
export interface NewLogin {
  tokenHash: string;
  purpose: LoginPurpose;
  userId?: string;
  /** Sealed. */
  deviceCode?: string;
  pollSeconds?: number;
  seconds?: number;
}

export interface TakenLogin {
  purpose: LoginPurpose;
  userId: string | null;
}

/** An account that somebody signs in to. */
export interface OidcAccount {
  id: string;
  role: Role;
  tokenVersion: number;
  totpEnabled: boolean;
  suspended: boolean;
}

export interface Linked {
  identityId: string;
  userId: string;
}

@Injectable()
export class OidcRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(OidcIdentityEntity) private readonly identities: Repository<OidcIdentityEntity>,
    @InjectRepository(OidcLoginEntity) private readonly logins: Repository<OidcLoginEntity>,
    @InjectRepository(OidcSessionEntity) private readonly sessions: Repository<OidcSessionEntity>,
  ) {}

  async addLogin({
    tokenHash,
    purpose,
    userId,
    deviceCode,
    pollSeconds,
    seconds = loginSeconds,
  }: NewLogin): Promise<void> {
    const values = [tokenHash, purpose, userId ?? null, deviceCode ?? null, pollSeconds ?? null, seconds];
    await this.database.execute(addLogin, values);
  }

  /** Takes a sign-in of one of these purposes that has not expired; null if there is none. */
  takeLogin(tokenHash: string, purposes: LoginPurpose[]): Promise<TakenLogin | null> {
    return this.database.row<TakenLogin>(takeLogin, [tokenHash, purposes]);
  }

  /** The device of a sign-in, and whether it may be asked for now. */
  pollDevice(tokenHash: string): Promise<{ deviceCode: string; isDue: boolean } | null> {
    return this.database.row(pollDevice, [tokenHash]);
  }

  async slowDown(tokenHash: string): Promise<void> {
    await this.database.execute(slowDown, [tokenHash]);
  }

  async removeLogin(tokenHash: string): Promise<void> {
    await this.logins.delete({ tokenHash });
  }

  /** Has others who sign in as the same user of the provider wait until the unit of work ends. */
  async lockSubject(issuer: string, subject: string): Promise<void> {
    await this.database.execute(lockSubject, [`oidc ${issuer} ${subject}`]);
  }

  /** The account of a user of the provider, which is used now. */
  useLink(issuer: string, subject: string, name: string | null): Promise<Linked | null> {
    return this.database.row<Linked & Record<string, unknown>>(linkedAccount, [issuer, subject, name]);
  }

  account(userId: string): Promise<OidcAccount | null> {
    return this.database.row<OidcAccount & Record<string, unknown>>(account, [userId]);
  }

  /** Those of the usernames that accounts have, in lower case. */
  async takenNames(usernames: string[]): Promise<Set<string>> {
    const values = [usernames.map((name) => name.toLowerCase())];
    const rows = await this.database.rows<{ name: string }>(takenNames, values);
    return new Set(rows.map(({ name }) => name));
  }

  async insertLink(link: Pick<OidcIdentityEntity, 'id' | 'userId' | 'issuer' | 'subject' | 'name'>): Promise<void> {
    await this.identities.insert(link);
  }

  links(userId: string): Promise<OidcIdentityEntity[]> {
    return this.identities.find({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' }, take: 20 });
  }

  link(userId: string, id: string): Promise<OidcIdentityEntity | null> {
    return this.identities.findOneBy({ userId, id });
  }

  async removeLink(userId: string, id: string): Promise<boolean> {
    return (await this.identities.delete({ userId, id })).affected === 1;
  }

  /** Whether an account has a password; locks it until the unit of work ends. */
  async hasPassword(userId: string): Promise<boolean> {
    return (await this.database.row<{ hasPassword: boolean }>(hasPassword, [userId]))?.hasPassword ?? false;
  }

  /** Notes that a session began with the provider. */
  async addSession(session: OidcSessionEntity): Promise<void> {
    await this.sessions.insert(session);
  }

  /** The sessions of a user of the provider, of a session there, or of both. */
  async sessionsOf(issuer: string, subject: string | null, sid: string | null): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(sessionsOf, [issuer, subject, sid]);
    return rows.map(({ id }) => id);
  }

  /** Takes a logout token by its digest; returns whether it was not taken before. */
  async takeLogoutToken(digest: string, seconds: number): Promise<boolean> {
    return (await this.database.execute(takeLogoutToken, [digest, seconds])) > 0;
  }
}

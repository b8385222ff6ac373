import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { SessionEntity } from './session.entity.js';
import {
  begin,
  end,
  forgetDevices,
  keepOnly,
  list,
  ownerOf,
  reauthenticate,
  rotate,
  tokenState,
} from './sessions.statements.js';

/** A session in force. */
export interface SessionInForce {
  user_id: string;
  token_version: number;
  /** The seconds that it lasts unless somebody uses it again. */
  seconds: number;
  /** When its user last proved who they are, in seconds since 1970. */
  authenticated_at: number;
  /** Whether the provider that it began with vouches for two factors. */
  multi_factor: boolean;
}

/** The relation of a token to its session. */
export interface TokenState extends SessionInForce {
  current: boolean;
  /** Sealed; null if the token is not the one that was rotated a moment ago. */
  successor: string | null;
}

export interface NewSession {
  id: string;
  userId: string;
  tokenVersion: number;
  tokenHash: string;
  device: string;
  deviceDigest: string;
  address: string;
  ttlSeconds: number;
  latestEndSeconds: number;
  /** When its user proved who they are, in seconds since 1970; null: just now. */
  authenticatedAt: number | null;
  multiFactor: boolean;
}

export interface SessionEnd {
  id: string;
  /** The account that it must belong to. */
  userId?: string;
  /** The seconds that its access tokens may still live. */
  accessTokenSeconds: number;
  /** Whether to tell the owner that somebody used a token of it twice. */
  reused?: boolean;
}

export interface OwnedSession {
  /** The account's. */
  id: string;
  username: string;
  email: string;
  email_verified: boolean;
  device: string;
  address: string;
  created_at: Date;
  last_used_at: Date;
}

export interface Rotation {
  id: string;
  tokenHash: string;
  successorHash: string;
  /** Sealed. */
  successor: string;
  address: string;
  ttlSeconds: number;
}

export type SessionRow = Pick<SessionEntity, 'id' | 'device' | 'address'> & {
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
};

export interface DeviceKey {
  userId: string;
  digest: string;
}

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
  ) {}

  /** Begins a session; null if the account is gone, or its tokens have another version by now. */
  begin(session: NewSession): Promise<SessionInForce | null> {
    const { id, userId, tokenVersion, tokenHash, device, address, ttlSeconds, latestEndSeconds } = session;
    const account = [id, userId, tokenVersion, tokenHash];
    const limits = [ttlSeconds, latestEndSeconds];
    const values = [
      ...account,
      device,
      address,
      ...limits,
      session.deviceDigest,
      this.mailer.isOn,
      session.authenticatedAt,
      session.multiFactor,
    ];
    return this.database.row<SessionInForce>(begin, values);
  }

  /** Replaces the current token by its successor; null for one that is not current, or that became so a moment ago. */
  rotate({ id, tokenHash, successorHash, successor, address, ttlSeconds }: Rotation): Promise<SessionInForce | null> {
    const values = [id, tokenHash, successorHash, successor, address, ttlSeconds];
    return this.database.row<SessionInForce>(rotate, values);
  }

  /** Notes that the user of a session has proved who they are; null if it is not in force. */
  reauthenticate(id: string, userId: string): Promise<SessionInForce | null> {
    return this.database.row<SessionInForce>(reauthenticate, [id, userId]);
  }

  /** The relation of a token to its session; null if the session is not in force. */
  tokenState(id: string, tokenHash: string): Promise<TokenState | null> {
    return this.database.row<TokenState>(tokenState, [id, tokenHash]);
  }

  /** Ends a session in force, of this account if one is given; returns the account's id, or null. */
  async end({ id, userId, accessTokenSeconds, reused = false }: SessionEnd): Promise<string | null> {
    const values = [id, userId ?? null, accessTokenSeconds, reused && this.mailer.isOn];
    return (await this.database.row<{ user_id: string }>(end, values))?.user_id ?? null;
  }

  /** A session with the recipient of mails about it, or null where either is gone. */
  ownerOf(id: string): Promise<OwnedSession | null> {
    return this.database.row<OwnedSession>(ownerOf, [id]);
  }

  /** Keeps one session, or none, when the account's tokens have reached this version. */
  async keepOnly(userId: string, sessionId: string | null, tokenVersion: number): Promise<void> {
    await this.database.execute(keepOnly, [userId, sessionId, tokenVersion]);
  }

  /** The sessions in force, the most recently used first. */
  list(userId: string): Promise<SessionRow[]> {
    return this.database.rows<SessionRow>(list, [userId]);
  }

  /** Forgets old devices among the next ones after `last`; returns the last of them, null if there are none. */
  forgetDevices(last: DeviceKey, days: number): Promise<DeviceKey | null> {
    return this.database.row<DeviceKey & Record<string, unknown>>(forgetDevices, [last.userId, last.digest, days]);
  }

  /** Removes expired sessions, and ended ones whose access tokens have all expired. */
  async sweep(): Promise<void> {
    await this.sessions.delete({ expiresAt: LessThan(new Date()) });
  }
}

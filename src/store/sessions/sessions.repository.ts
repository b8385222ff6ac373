import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { SessionEntity } from './session.entity.js';
import { begin, end, keepOnly, list, rotate, tokenState } from './sessions.statements.js';

/** A session in force. */
export interface SessionInForce {
  user_id: string;
  token_version: number;
  /** How long it lasts unless it is used again. */
  seconds: number;
}

/** What a token is to its session. */
export interface TokenState extends SessionInForce {
  current: boolean;
  /** Sealed; null where the token is not the one that was rotated a moment ago. */
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

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
  ) {}

  /** Begins a session; null where the account is gone, or its tokens have another version by now. */
  begin(session: NewSession): Promise<SessionInForce | null> {
    const { id, userId, tokenVersion, tokenHash, device, address, ttlSeconds, latestEndSeconds } = session;
    const account = [id, userId, tokenVersion, tokenHash];
    const values = [...account, device, address, ttlSeconds, latestEndSeconds, session.deviceDigest];
    return this.database.row<SessionInForce>(begin, values);
  }

  /** Replaces the current token by its successor; null where it is not current, or became so a moment ago. */
  rotate({ id, tokenHash, successorHash, successor, address, ttlSeconds }: Rotation): Promise<SessionInForce | null> {
    const values = [id, tokenHash, successorHash, successor, address, ttlSeconds];
    return this.database.row<SessionInForce>(rotate, values);
  }

  /** What a token is to its session, or null where that is not in force. */
  tokenState(id: string, tokenHash: string): Promise<TokenState | null> {
    return this.database.row<TokenState>(tokenState, [id, tokenHash]);
  }

  /** Ends a session in force, of this account if one is given; returns whose it was, or null. */
  async end(id: string, userId: string | null, accessTokenSeconds: number): Promise<string | null> {
    return (await this.database.row<{ user_id: string }>(end, [id, userId, accessTokenSeconds]))?.user_id ?? null;
  }

  /** Keeps one session, or none, when the version of the account's tokens has become this one. */
  async keepOnly(userId: string, sessionId: string | null, tokenVersion: number): Promise<void> {
    await this.database.execute(keepOnly, [userId, sessionId, tokenVersion]);
  }

  /** The sessions in force, used last first. */
  list(userId: string): Promise<SessionRow[]> {
    return this.database.rows<SessionRow>(list, [userId]);
  }

  /** Removes what expired, and what ended so long ago that no access token of it is left. */
  async sweep(): Promise<void> {
    await this.sessions.delete({ expiresAt: LessThan(new Date()) });
  }
}

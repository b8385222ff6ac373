import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { userActor } from '../../platform/audit/audit-actor.js';
import { AccessTokens } from '../../platform/auth/access-tokens.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogins } from '../../platform/auth/recent-login.js';
import { sha256 } from '../../platform/crypto/digests.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found, RuleBroken, Unauthenticated } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountStateService } from '../users/account-state.service.js';
import { type Device, deviceDigest } from './device.js';
import { openSuccessor, RefreshTokens, sealSuccessor } from './refresh-tokens.js';
import { type SessionEnd, type SessionInForce, SessionsRepository } from './sessions.repository.js';
import type { Session } from './sessions.dto.js';

/** The tokens of a session. */
export interface SessionTokens {
  sessionId: string;
  accessToken: string;
  refreshToken: string;
  /** The seconds that the refresh token is valid. */
  refreshSeconds: number;
}

/**
 * Sessions: each login is one family of refresh tokens, of which one is current. Using it replaces it by another; using
 * a replaced one ends the whole family, since the thief and the owner cannot be told apart (RFC 9700, section 4.14.2).
 * Honest clients use one twice too: in several tabs, or when an answer was lost. So for a moment the holder of the
 * previous token gets its successor, which is sealed under that token: nothing in the database is usable.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly refreshTokens: RefreshTokens,
    private readonly accessTokens: AccessTokens,
    private readonly accountState: AccountStateService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly recentLogins: RecentLogins,
  ) {}

  /**
   * Begins a session after the right last factor; with a provider, which says when that was (seconds since 1970). Null if the
   * account's tokens have ended meanwhile.
   */
  async begin(
    userId: string,
    tokenVersion: number,
    device: Device,
    provider: { authenticatedAt: number | null; isMultiFactor: boolean } | null = null,
  ): Promise<SessionTokens | null> {
    const id = uuidV7();
    const refreshToken = this.refreshTokens.issue(id);
    const session = await this.repository.begin({
      id,
      userId,
      tokenVersion,
      tokenHash: sha256(refreshToken),
      device: device.name,
      deviceDigest: deviceDigest(userId, device),
      address: device.address,
      ttlSeconds: this.settings.refreshTokenTtlSeconds,
      latestEndSeconds: this.settings.sessionTtlSeconds,
      authenticatedAt: provider?.authenticatedAt ?? null,
      multiFactor: provider?.isMultiFactor ?? false,
    });
    return session && this.tokensOf(id, session, refreshToken);
  }

  /**
   * Replaces a refresh token by the next one. `Unauthenticated` for an unknown one, for one of an ended or expired
   * session, and for a replaced one, which ends the session.
   */
  async refresh(refreshToken: string, { address }: Device): Promise<SessionTokens> {
    const id = this.refreshTokens.sessionOf(refreshToken);
    if (id === null) throw unusable();
    const next = this.refreshTokens.issue(id);
    const rotated = await this.repository.rotate({
      id,
      tokenHash: sha256(refreshToken),
      successorHash: sha256(next),
      successor: sealSuccessor(next, refreshToken),
      address,
      ttlSeconds: this.settings.refreshTokenTtlSeconds,
    });
    return rotated ? this.tokensOf(id, rotated, next) : this.again(id, refreshToken);
  }

  /** The answer to a token that is not current: replaced a moment ago, or stale. */
  private async again(id: string, refreshToken: string): Promise<SessionTokens> {
    const tokenState = await this.repository.tokenState(id, sha256(refreshToken));
    if (!tokenState) throw unusable();
    if (tokenState.current) return this.tokensOf(id, tokenState, refreshToken);
    if (tokenState.successor !== null) {
      return this.tokensOf(id, tokenState, openSuccessor(tokenState.successor, refreshToken));
    }
    await this.endById({ id, reused: true }, { action: 'user.refresh_token_reused' });
    const sentence = 'The refresh token had already been replaced, so its session was ended: sign in again';
    throw new Unauthenticated(sentence, 'refresh_token_reused');
  }

  /**
   * Notes that the caller has just proved who they are, and returns an access token that says so. `RuleBroken` for a
   * caller without a session, `Unauthenticated` where it has ended meanwhile.
   */
  async reauthenticate({ id: userId, sessionId }: CallerIdentity): Promise<string> {
    if (sessionId === undefined) {
      throw new RuleBroken('This access token does not belong to a session: sign in again', 'no_session');
    }
    const session = await this.repository.reauthenticate(sessionId, userId);
    if (!session) {
      throw new Unauthenticated('The session has ended meanwhile: sign in again', 'token_revoked', {
        error: 'invalid_token',
      });
    }
    return this.accessTokenOf(sessionId, session);
  }

  /** Ends the session of a refresh token, current or earlier; does nothing where it has ended. */
  async endByToken(refreshToken: string): Promise<void> {
    const id = this.refreshTokens.sessionOf(refreshToken);
    if (id !== null) await this.endById({ id }, { action: 'user.signed_out', byHolder: true });
  }

  /**
   * Ends a session of the caller, another one only after a recent login; `NotFound` where they have no such session in
   * force.
   */
  async end(caller: CallerIdentity, sessionId: string): Promise<void> {
    const { id } = caller;
    // Signing out here is no power over others.
    if (sessionId.toLowerCase() !== caller.sessionId) this.recentLogins.assert(caller);
    found(await this.endById({ id: sessionId, userId: id }, { action: 'user.session_ended' }), 'Session');
  }

  /** Ends the session of the caller's access token; `RuleBroken` where it has none. */
  async endCurrent({ id, sessionId }: CallerIdentity): Promise<void> {
    const which = sessionId === undefined ? null : { id: sessionId, userId: id };
    const ended = which && (await this.endById(which, { action: 'user.signed_out', byHolder: true }));
    if (ended !== null) return;
    const sentence =
      'This access token does not belong to a session: end it, with all others, by DELETE /api/v1/users/me/sessions';
    throw new RuleBroken(sentence, 'no_session');
  }

  /** Ends a session, in force or not, since its user has signed out at the provider of OpenID Connect. */
  async endByProvider(sessionId: string): Promise<void> {
    await this.endById({ id: sessionId }, { action: 'user.signed_out_by_provider', byHolder: true });
  }

  /**
   * Ends all sessions and access tokens of an account, older ones than sessions too, as part of a change that is
   * audited.
   */
  endAll(userId: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const version = await this.accountState.endTokens(userId);
      if (version !== null) await this.repository.keepOnly(userId, null, version);
    });
  }

  /** Ends all sessions and access tokens of an account on its own, and audits that. */
  signOutEverywhere(userId: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.endAll(userId);
      await this.accountState.audited(userId, { action: 'user.sessions_ended' });
    });
  }

  /** Signs somebody else out everywhere, and mails them. `NotFound` if there is no such account. */
  signOutUser(userId: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { id } = await this.accountState.tellSignedOut(userId);
      await this.signOutEverywhere(id);
    });
  }

  /**
   * Ends all tokens and sessions of the caller except the session of this request, and returns its next access token.
   * `endTokens` returns the version of the next tokens; if it returns null, everything stays.
   */
  endOthers(caller: CallerIdentity, endTokens: () => Promise<number | null>): Promise<string | null> {
    const { id, sessionId } = caller;
    return this.unitOfWork.run(async () => {
      const version = await endTokens();
      if (version === null) return null;
      await this.repository.keepOnly(id, sessionId ?? null, version);
      return this.accessTokens.issue(id, version, caller);
    });
  }

  /** The caller's sessions in force, the most recently used first. */
  async list({ id, sessionId }: CallerIdentity): Promise<Session[]> {
    const rows = await this.repository.list(id);
    return rows.map(({ created_at, last_used_at, expires_at, ...same }) => ({
      ...same,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
      expires_at: expires_at.toISOString(),
      current: same.id === sessionId,
    }));
  }

  private endById(which: Omit<SessionEnd, 'accessTokenSeconds'>, { action, byHolder }: Ending): Promise<string | null> {
    const accessTokenSeconds = this.settings.accessTokenTtlSeconds;
    return this.unitOfWork.run(async () => {
      const owner = await this.repository.end({ ...which, accessTokenSeconds });
      if (owner === null) return null;
      const changes = { session: { from: which.id, to: null } };
      const actor = byHolder === true ? { actor: userActor(owner) } : {};
      await this.accountState.audited(owner, { action, changes, ...actor });
      return owner;
    });
  }

  private async tokensOf(id: string, session: SessionInForce, refreshToken: string): Promise<SessionTokens> {
    return {
      sessionId: id,
      accessToken: await this.accessTokenOf(id, session),
      refreshToken,
      refreshSeconds: Math.round(session.seconds),
    };
  }

  private accessTokenOf(id: string, session: SessionInForce): Promise<string> {
    const { user_id, token_version, authenticated_at: authenticatedAt, multi_factor: isMultiFactor } = session;
    return this.accessTokens.issue(user_id, token_version, { sessionId: id, authenticatedAt, isMultiFactor });
  }
}

/** Why a session ends. */
interface Ending {
  action: AuditAction;
  /** Whether whoever asks has proven by a token of the session that it is theirs, where no access guard has. */
  byHolder?: boolean;
}

function unusable(): Unauthenticated {
  const sentence = 'The refresh token is unknown, or its session has expired or ended: sign in again';
  return new Unauthenticated(sentence, 'refresh_token_invalid');
}

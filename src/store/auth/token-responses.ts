import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { userActor } from '../../platform/audit/audit-actor.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { AccessTokens } from '../../platform/auth/access-tokens.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { deviceOf } from '../sessions/device.js';
import { SessionsService, type SessionTokens } from '../sessions/sessions.service.js';
import type { Token, TokenPlace } from './auth.dto.js';
import { SessionCookies } from './session-cookies.js';

/** The fields of a `Token`. */
type TokenFields = Pick<Token, keyof Token>;

/** A provider of OpenID Connect that vouches for the user of a new session. */
export interface Voucher {
  issuer: string;
  /** When the user proved who they are, in seconds since 1970; null if the provider does not say. */
  authenticatedAt: number | null;
  /** The link of the account with the provider's user. */
  identityId: string;
  /** The provider's session, if it tells. */
  sid: string | null;
  /** Whether the user proved who they are by two factors, there or here. */
  isMultiFactor: boolean;
}

/** A session that a provider vouches for. */
type VouchedSession = Pick<Voucher, 'identityId' | 'sid'> & { sessionId: string };

type Keep = (session: VouchedSession) => Promise<void>;

/** Begins and continues sessions, and returns their tokens: the refresh token in the body or in a cookie. */
@Injectable()
export class TokenResponses {
  private keepVouched: Keep = () => Promise.reject(new Error('Nobody keeps the sessions that a provider vouches for'));

  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Calls `keep` for each session that a provider vouches for, in the unit of work in which it begins. */
  onVouched(keep: Keep): void {
    this.keepVouched = keep;
  }

  /** Throws `Forbidden` if a page of another origin asks for the cookie. */
  assertOwn(place: TokenPlace, response: Response): void {
    if (place === 'cookie') this.cookies.assertOwn(response.req);
  }

  /**
   * The tokens of a new session; null if the account's tokens have ended meanwhile. A provider that vouches for the user is
   * audited, and told of the session in the same unit of work.
   */
  async begin(
    userId: string,
    tokenVersion: number,
    place: TokenPlace,
    response: Response,
    provider?: Voucher,
  ): Promise<TokenFields | null> {
    const tokens = await this.unitOfWork.run(async () => {
      const begun = await this.sessions.begin(userId, tokenVersion, deviceOf(response.req), provider);
      if (begun && provider) {
        const { identityId, sid } = provider;
        await this.keepVouched({ sessionId: begun.sessionId, identityId, sid });
      }
      const changes = {
        session: { from: null, to: begun?.sessionId },
        ...(provider && { provider: { from: null, to: provider.issuer } }),
      };
      const signedIn = {
        action: 'user.signed_in',
        subject: { id: userId },
        actor: userActor(userId),
        changes,
      } as const;
      if (begun) await this.audit.record(signedIn);
      return begun;
    });
    return tokens && this.answer(tokens, place, response);
  }

  /** The next tokens of a session; throws as `SessionsService.refresh` does. */
  async refresh(refreshToken: string, place: TokenPlace, response: Response): Promise<Token> {
    this.assertOwn(place, response);
    return this.answer(await this.sessions.refresh(refreshToken, deviceOf(response.req)), place, response);
  }

  private answer(tokens: SessionTokens, place: TokenPlace, response: Response): TokenFields {
    const { accessToken, refreshToken, refreshSeconds } = tokens;
    const token = { access_token: accessToken, token_type: 'bearer', expires_in: this.accessTokens.seconds };
    if (place === 'body') return { ...token, refresh_token: refreshToken };
    this.cookies.set(response, refreshToken, refreshSeconds);
    return token;
  }
}

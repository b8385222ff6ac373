import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { hasBearerToken } from '../../platform/auth/bearer-tokens.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Unauthenticated } from '../../platform/errors/errors.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { Token } from './auth.dto.js';
import { SessionCookies } from './session-cookies.js';
import { TokenResponses } from './token-responses.js';

/** Continues and ends sessions by the refresh token in the body or in the cookie. */
@Injectable()
export class RefreshService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly answers: TokenResponses,
    private readonly cookies: SessionCookies,
  ) {}

  /**
   * Replaces the refresh token where it came from. `Unauthenticated` without one, and for one that is no longer valid;
   * `Forbidden` for the cookie from a page of another origin.
   */
  async refresh(given: string | undefined, response: Response): Promise<Token> {
    if (given !== undefined) return this.answers.refresh(given, 'body', response);
    const kept = this.cookies.read(response.req);
    if (kept !== undefined) return this.answers.refresh(kept, 'cookie', response);
    throw new Unauthenticated('Send the refresh_token in the body, or the cookie of a login with ?session=cookie');
  }

  /**
   * Ends a session. `Unauthenticated` without any token, `Forbidden` for the cookie from a page of another origin,
   * `RuleBroken` for an access token without a session.
   */
  async logout(given: string | undefined, caller: CallerIdentity | Unauthenticated, response: Response): Promise<void> {
    if (given !== undefined) return this.sessions.endByToken(given);
    const request = response.req;
    const kept = this.cookies.read(request);
    if (kept === undefined || (hasBearerToken(request) && !this.cookies.isOwn(request))) {
      if (caller instanceof Unauthenticated) throw caller;
      return this.sessions.endCurrent(caller);
    }
    this.cookies.assertOwn(request);
    await this.sessions.endByToken(kept);
    this.cookies.clear(response);
  }
}

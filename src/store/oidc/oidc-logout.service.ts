import { Injectable } from '@nestjs/common';
import { sha256 } from '../../platform/crypto/digests.js';
import { RuleBroken } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OidcProvider } from './oidc-provider.js';
import { OidcRepository } from './oidc.repository.js';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** How long a token is remembered: longer than one may be old. */
const rememberedSeconds = 3_600;
const maxId = 255;

/** Ends sessions as the provider says (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class OidcLogoutService {
  constructor(
    private readonly provider: OidcProvider,
    private readonly repository: OidcRepository,
    private readonly sessions: SessionsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Ends the sessions that a logout token names, by a user, by a session of the provider, or by both, on all nodes.
   * `RuleBroken` for a token that fails a check of section 2.6, or that was sent before.
   */
  async logOut(token: string): Promise<void> {
    const { iss = '', sub, sid, jti = '', events, nonce } = await this.provider.logoutClaims(token);
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
    if (!isLogout) throw unusable('it is about no logout');
    if (nonce !== undefined) throw unusable('it has a nonce, so it is an ID token');
    if (sub === undefined && sid === undefined) throw unusable('it names neither a user nor a session');
    if (sid !== undefined && (typeof sid !== 'string' || sid.length > maxId)) throw unusable('its sid is no text');
    if (sub !== undefined && sub.length > maxId) throw unusable('its sub is too long');
    await this.unitOfWork.run(async () => {
      const isNew = await this.repository.takeLogoutToken(sha256(`${iss} ${jti}`), rememberedSeconds);
      if (!isNew) throw unusable('it was sent before');
      const ended = await this.repository.sessionsOf(iss, sub ?? null, sid ?? null);
      for (const sessionId of ended) await this.sessions.endByProvider(sessionId);
    });
  }
}

function unusable(why: string): RuleBroken {
  return new RuleBroken(`The logout token cannot be used: ${why}`, 'logout_token_invalid');
}

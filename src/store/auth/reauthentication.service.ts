import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { AccessTokens } from '../../platform/auth/access-tokens.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { RuleBroken } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TotpService } from '../totp/totp.service.js';
import { AuthService } from './auth.service.js';
import { providerOnly } from './provider-only.js';
import type { Reauthentication, Token } from './auth.dto.js';

/** Lets signed-in callers prove once more who they are, for what asks for a recent login. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly auth: AuthService,
    private readonly totp: TotpService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokens,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks the caller's password and, with two-factor login, a code, as a login does; returns an access token of the same
   * session that counts as a recent login. `RuleBroken` for what is wrong or missing, `TooManyRequests` after wrong ones,
   * `Forbidden` for an admin where these sign in with the provider alone.
   */
  async reauthenticate(
    caller: CallerIdentity,
    { password, totp_code }: Reauthentication,
    ip: string | undefined,
  ): Promise<Token> {
    const { oidc } = this.settings;
    if (caller.role === 'admin' && oidc?.only) throw providerOnly(oidc.label);
    await this.auth.assertPassword(caller.id, password, ip);
    if (!(await this.totp.prove(caller, totp_code, ip))) {
      const sentence = 'The code is wrong or was already used: send the next one that the authenticator app shows';
      throw new RuleBroken(sentence, 'wrong_code');
    }
    const access_token = await this.unitOfWork.run(async () => {
      const token = await this.sessions.reauthenticate(caller);
      await this.audit.record({ action: 'user.reauthenticated', subject: { id: caller.id } });
      return token;
    });
    return { access_token, token_type: 'bearer', expires_in: this.tokens.seconds };
  }
}

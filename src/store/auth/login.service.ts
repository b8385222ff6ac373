import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { randomToken, sha256 } from '../../platform/crypto/digests.js';
import { Passwords } from '../../platform/crypto/passwords.js';
import { Forbidden, Unauthenticated } from '../../platform/errors/errors.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { TotpService } from '../totp/totp.service.js';
import { LoginAttempts } from '../users/login-attempts.js';
import { AuthRepository, type ChallengedUser } from './auth.repository.js';
import type { LoginResponse, Token, TokenPlace, TOTPLoginRequest, UserLogin } from './auth.dto.js';
import { providerOnly } from './provider-only.js';
import { TokenResponses, type Voucher } from './token-responses.js';

/** Signs users in, in one step or, with two-factor login, in two. */
@Injectable()
export class LoginService {
  constructor(
    private readonly repository: AuthRepository,
    private readonly passwords: Passwords,
    private readonly answers: TokenResponses,
    private readonly attempts: LoginAttempts,
    private readonly totp: TotpService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks a password and begins a session or, with two-factor login, returns the temporary token of the second step.
   * `Unauthenticated` for a wrong username or password alike, `TooManyRequests` after wrong ones, `Forbidden` for a suspended
   * account, for an admin where these sign in with the provider alone, and where a page of another origin asks for the cookie.
   */
  async login({ username, password }: UserLogin, place: TokenPlace, response: Response): Promise<LoginResponse> {
    this.answers.assertOwn(place, response);
    const { ip } = response.req;
    const given = this.attempts.atLogin(username, ip);
    return this.passwords.enqueue({ queue: 'login', address: limitedAddressOf(ip) }, async ({ matches }) => {
      const attempt = await this.attempts.count(given);
      const account = await this.repository.credentials(username);
      if (!(await matches(account?.password_hash ?? null, password)) || !account) {
        await this.attempts.fail(attempt, { action: 'user.login_failed', userId: account?.id ?? null });
        throw wrongCredentials();
      }
      if (account.suspended) {
        await this.attempts.giveBack(attempt);
        await this.attempts.refuse(account.id);
        throw suspended();
      }
      if (account.role === 'admin' && this.settings.oidc?.only) {
        await this.attempts.giveBack(attempt);
        await this.attempts.refuse(account.id);
        throw providerOnly(this.settings.oidc.label);
      }
      if (account.totp_enabled) {
        await this.attempts.giveBack(attempt);
        return this.challenge(account.id, account.token_version);
      }
      await this.attempts.clear(attempt);
      const token = await this.answers.begin(account.id, account.token_version, place, response);
      // Somebody deleted the account, or changed its password, since it was read.
      if (!token) throw wrongCredentials();
      return { ...token, requires_totp: false, temp_token: null };
    });
  }

  /**
   * Checks a temporary token with a code or a recovery code, and begins a session. `Unauthenticated` for a wrong or used
   * code and for a token that expired, was used, or took too many wrong codes, `TooManyRequests` after wrong ones,
   * `Forbidden` where a page of another origin asks for the cookie.
   */
  async loginWithCode(
    { temp_token, totp_code }: TOTPLoginRequest,
    place: TokenPlace,
    response: Response,
  ): Promise<Token> {
    this.answers.assertOwn(place, response);
    const { ip } = response.req;
    const tokenHash = sha256(temp_token);
    const userId = await this.repository.challengedUser(tokenHash);
    if (userId === null) throw loginEnded();
    const code = await this.totp.read(userId, totp_code, ip);
    const user = await this.unitOfWork.run(async () => {
      const challenged = await this.challenged(tokenHash);
      const { id, totp_secret } = challenged;
      const attempt = this.attempts.atLoginCode(challenged, ip);
      const failed = { action: 'user.login_code_failed', userId: id } as const;
      const right = await this.attempts.run(attempt, failed, () => this.totp.redeem(id, totp_secret, code));
      if (!right) return null;
      await this.repository.removeChallenge(tokenHash);
      return challenged;
    });
    if (!user) {
      const sentence = 'The code is wrong or was already used: send the one that the authenticator app shows now';
      throw new Unauthenticated(sentence, 'wrong_code');
    }
    const { voucher } = user;
    const provider = voucher === null ? undefined : { ...voucher, isMultiFactor: true };
    const token = await this.answers.begin(user.id, user.token_version, place, response, provider);
    if (!token) throw loginEnded();
    return token;
  }

  /** Begins the second step of a login: by password, or by a provider that vouches for one factor. */
  async challenge(userId: string, tokenVersion: number, voucher: Voucher | null = null): Promise<LoginResponse> {
    const temp_token = randomToken();
    await this.repository.addChallenge(sha256(temp_token), { userId, tokenVersion, voucher });
    return { access_token: null, token_type: 'bearer', requires_totp: true, temp_token };
  }

  /** Locks the account of a challenge that still takes a code, and counts this one. */
  private async challenged(tokenHash: string): Promise<ChallengedUser> {
    const user = await this.repository.lockChallenged(tokenHash);
    if (!user || !(await this.repository.countCode(tokenHash, user.token_version))) {
      throw loginEnded();
    }
    return user;
  }
}

function wrongCredentials(): Unauthenticated {
  return new Unauthenticated('The username or the password is wrong', 'wrong_credentials');
}

function suspended(): Forbidden {
  return new Forbidden('This account is suspended: write to the shop to have it back', 'account_suspended');
}

function loginEnded(): Unauthenticated {
  return new Unauthenticated('The temporary token is no longer valid: sign in with the password again', 'login_ended');
}

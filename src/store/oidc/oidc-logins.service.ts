import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { randomToken, sha256 } from '../../platform/crypto/digests.js';
import { Forbidden, RuleBroken, Unauthenticated } from '../../platform/errors/errors.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { Rates } from '../../platform/quotas/rates.js';
import { Settings } from '../../config/settings.js';
import type { LoginResponse, TokenPlace } from '../auth/auth.dto.js';
import { LoginService } from '../auth/login.service.js';
import { TokenResponses } from '../auth/token-responses.js';
import { LoginAttempts } from '../users/login-attempts.js';
import { pageOf, secretsOf } from './login-secrets.js';
import { OidcAccountsService } from './oidc-accounts.service.js';
import type { LoginPurpose } from './oidc-login.entity.js';
import { type AnswerChecks, OidcProvider } from './oidc-provider.js';
import { loginSeconds, OidcRepository } from './oidc.repository.js';
import type { OidcFinish, OidcOptions, OidcStart, OidcStarted } from './oidc.dto.js';
import type { ProvenUser } from './proven-user.js';
import { openUnder, sealUnder } from '../../platform/crypto/token-seal.js';
import type { DeviceFinish, DeviceStarted } from './oidc.dto.js';

const callback = '/api/v1/auth/oidc/callback';

/**
 * Sign-ins with the provider of OpenID Connect: by code flow with PKCE in a browser, and by the flow of devices. Whoever
 * begins one gets its token and ends it with that token: the provider's answer alone signs nobody in.
 */
@Injectable()
export class OidcLoginsService implements OnModuleInit {
  constructor(
    private readonly repository: OidcRepository,
    private readonly provider: OidcProvider,
    private readonly accounts: OidcAccountsService,
    private readonly tokens: TokenResponses,
    private readonly passwordLogins: LoginService,
    private readonly attempts: LoginAttempts,
    private readonly rates: Rates,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.tokens.onVouched((session) => this.repository.addSession(session));
  }

  /** How users may sign in. */
  options(): OidcOptions {
    const { oidc } = this.settings;
    return { label: oidc?.label ?? null, admins_by_provider_only: oidc?.only ?? false };
  }

  /** Begins a sign-in of a browser. `NotFound` without a provider, `Unavailable` while it is away. */
  start({ page, fresh }: OidcStart, response: Response): Promise<OidcStarted> {
    return this.begin(page, fresh ? 'fresh' : 'sign-in', response);
  }

  /** Begins a sign-in of a browser that links the caller's account. */
  startLink({ page }: Pick<OidcStart, 'page'>, caller: CallerIdentity, response: Response): Promise<OidcStarted> {
    return this.begin(page, 'link', response, caller.id);
  }

  /**
   * Ends a sign-in, and begins a session, or asks an admin for the code of their own second factor where the provider vouches
   * for none and one is required. `Unauthenticated` for a sign-in that was ended or has expired, and for an answer
   * that fails a check, `Forbidden` for a suspended account, and as `OidcAccountsService.of`.
   */
  async finish(finish: OidcFinish, place: TokenPlace, response: Response): Promise<LoginResponse> {
    this.tokens.assertOwn(place, response);
    const { user } = await this.prove(finish, ['sign-in', 'fresh'], response);
    return this.signIn(user, place, response);
  }

  /** Ends a sign-in of one of these purposes, and returns who signed in, and the account that began it. */
  async prove(
    { login_token, ...answer }: OidcFinish,
    purposes: LoginPurpose[],
    response: Response,
  ): Promise<{ user: ProvenUser; userId: string | null }> {
    void this.provider.own;
    const login = await this.repository.takeLogin(sha256(login_token), purposes);
    if (!login) throw ended();
    const checks = { ...secretsOf(login_token, pageOf(answer.state)), ...this.checksOf(login.purpose, response) };
    return { user: await this.provider.prove(answer, checks), userId: login.userId };
  }

  /** Begins the sign-in of a device. `NotFound` where the provider signs none in. */
  async startDevice(response: Response): Promise<DeviceStarted> {
    await this.count(response);
    const begun = await this.provider.beginDevice();
    const login_token = randomToken();
    const expires_in = Math.min(begun.expiresInSeconds, loginSeconds);
    const interval = Math.min(Math.max(begun.pollSeconds, 1), 60);
    await this.repository.addLogin({
      tokenHash: sha256(login_token),
      purpose: 'device',
      deviceCode: sealUnder(begun.deviceCode, login_token),
      pollSeconds: interval,
      seconds: expires_in,
    });
    const { userCode: user_code, verificationUri: verification_uri, verificationUriComplete } = begun;
    const complete = verificationUriComplete ?? null;
    return { login_token, user_code, verification_uri, verification_uri_complete: complete, expires_in, interval };
  }

  /**
   * Asks whether the user of a device has signed in, and begins a session then. `RuleBroken` while they have not, and where
   * they would not or the time is over.
   */
  async finishDevice({ login_token }: DeviceFinish, response: Response): Promise<LoginResponse> {
    void this.provider.own;
    const tokenHash = sha256(login_token);
    const device = await this.repository.pollDevice(tokenHash);
    if (!device) throw ended();
    const outcome = device.isDue
      ? await this.askDevice(tokenHash, openUnder(device.deviceCode, login_token))
      : 'slow_down';
    if (typeof outcome === 'string') {
      if (outcome === 'slow_down') await this.repository.slowDown(tokenHash);
      throw outcome === 'slow_down' ? tooSoon() : pending();
    }
    if (!(await this.repository.takeLogin(tokenHash, ['device']))) throw ended();
    return this.signIn(outcome, 'body', response);
  }

  private async askDevice(tokenHash: string, deviceCode: string) {
    try {
      return await this.provider.askDevice(deviceCode);
    } catch (error) {
      // What the provider has refused stays refused; what it could not answer may be asked again.
      if (error instanceof RuleBroken || error instanceof Unauthenticated) await this.repository.removeLogin(tokenHash);
      throw error;
    }
  }

  private async begin(
    page: OidcStart['page'],
    purpose: LoginPurpose,
    response: Response,
    userId?: string,
  ): Promise<OidcStarted> {
    await this.count(response);
    const login_token = randomToken();
    const checks = { ...secretsOf(login_token, page), ...this.checksOf(purpose, response) };
    const authorization_url = await this.provider.signInUrl(checks);
    const login = { tokenHash: sha256(login_token), purpose, ...(userId !== undefined && { userId }) };
    await this.repository.addLogin(login);
    return { authorization_url, login_token, expires_in: loginSeconds };
  }

  private async count({ req }: Response): Promise<void> {
    const address = limitedAddressOf(req.ip);
    if (address !== undefined) await this.rates.take('providerSignIns', address);
  }

  /** The provider compares the address with those that are registered: one that a header makes up leads nowhere. */
  private checksOf(purpose: LoginPurpose, { req }: Response): Pick<AnswerChecks, 'redirectUri' | 'isFresh'> {
    const origin = this.settings.publicUrl ?? `${req.protocol}://${req.headers.host ?? ''}`;
    return { redirectUri: origin + callback, isFresh: purpose === 'fresh' };
  }

  private async signIn(user: ProvenUser, place: TokenPlace, response: Response): Promise<LoginResponse> {
    const account = await this.accounts.of(user);
    if (account.suspended) {
      await this.attempts.refuse(account.id);
      const sentence = 'This account is suspended: write to the shop to have it back';
      throw new Forbidden(sentence, 'account_suspended');
    }
    const { issuer, sid, authenticatedAt, isMultiFactor } = user;
    const { id, tokenVersion, identityId, role, totpEnabled } = account;
    const voucher = { issuer, identityId, sid, authenticatedAt, isMultiFactor };
    const needsCode = this.settings.adminTotp === 'required' && role === 'admin' && totpEnabled && !isMultiFactor;
    if (needsCode) return this.passwordLogins.challenge(id, tokenVersion, voucher);
    const token = await this.tokens.begin(id, tokenVersion, place, response, voucher);
    // Somebody deleted the account, or ended its tokens, since it was read.
    if (!token) throw ended();
    return { ...token, requires_totp: false, temp_token: null };
  }
}

function ended(): Unauthenticated {
  const sentence = 'This sign-in was used before, has expired, or was begun elsewhere: begin another one';
  return new Unauthenticated(sentence, 'sign_in_ended');
}

function pending(): RuleBroken {
  return new RuleBroken('The sign-in is not confirmed yet: ask again after the interval', 'authorization_pending');
}

function tooSoon(): RuleBroken {
  return new RuleBroken('That was too soon: wait five seconds longer from now on', 'slow_down');
}

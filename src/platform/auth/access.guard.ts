import { randomUUID } from 'node:crypto';
import { type ExecutionContext, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import passport from 'passport';
import { Settings } from '../../config/settings.js';
import { challengeOf } from '../errors/error-answer.js';
import { Forbidden, NotFound, Unauthenticated } from '../errors/errors.js';
import { hasBearerToken, tokenRefusal } from './bearer-tokens.js';
import { accessKey, type AccessLevel, type AccessMark, organizationRoleOf } from './access.js';
import { CallerDirectory, type CallerIdentity } from './caller.js';
import { KnownTokens } from './known-tokens.js';
import { type RecentLoginMark, recentLoginKey, RecentLogins } from './recent-login.js';
import { JwtStrategy } from './jwt.strategy.js';
import { scopeKey, type ScopeMark } from './scopes.js';
import { ShopKeyDirectory, shopKeyOf } from './shop-key-caller.js';
import {
  apiKeyOf,
  includesRole,
  type OrganizationCaller,
  organizationNamedBy,
  OrganizationDirectory,
  type KeyRole,
} from './organization-caller.js';

/** Enforces the access mark of every route; a route without one is for admins. */
@Injectable()
export class AccessGuard extends AuthGuard() implements OnModuleDestroy {
  private readonly strategyName: string;

  constructor(
    strategy: JwtStrategy,
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly organizations: OrganizationDirectory,
    private readonly callers: CallerDirectory,
    private readonly tokens: KnownTokens,
    private readonly recentLogins: RecentLogins,
    private readonly shopKeys: ShopKeyDirectory,
  ) {
    // Passport keeps strategies by name for the whole process, which may hold several applications.
    const strategyName = `jwt-${randomUUID()}`;
    super({ defaultStrategy: strategyName, session: false });
    this.strategyName = strategyName;
    passport.use(strategyName, strategy);
  }

  onModuleDestroy(): void {
    passport.unuse(this.strategyName);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.admit(context);
    const mark = this.reflector.get<RecentLoginMark | undefined>(recentLoginKey, context.getHandler());
    const isAsked = mark?.checkedBy === 'guard' && mark.policies.includes(this.settings.accessPolicy);
    const { user } = context.switchToHttp().getRequest<Request & { user?: CallerIdentity }>();
    // Unspecified: API keys, which cannot sign in again. What one may change, its maker chose with a recent login.
    if (isAsked && user) this.recentLogins.assert(user);
    return true;
  }

  /** Identifies the caller, and refuses one whom the access mark does not let in. */
  private async admit(context: ExecutionContext): Promise<void> {
    const level = this.levelOf(context);
    if (level === 'public') return;
    const request = context.switchToHttp().getRequest<Request>();
    const role = organizationRoleOf(level);
    if (role) return this.admitMember(context, request, role);
    const key = level === 'bearer-or-key' ? apiKeyOf(request) : undefined;
    if (key !== undefined) {
      Object.assign(request, { member: await this.ofKey(key) });
      return;
    }
    if (level === 'token-optional') {
      Object.assign(request, { refusal: await this.refusalOf(context) });
      return;
    }
    if (level === 'optional') {
      if (hasBearerToken(request)) await this.admitIfValid(context);
      return;
    }
    await this.admitCaller(context);
    if (level === 'admin' && request.user) assertAdmin(request.user as CallerIdentity);
  }

  override handleRequest<T>(error: unknown, user: T | false | undefined, info: unknown, context: ExecutionContext): T {
    if (error) throw error;
    if (!user) throw tokenRefusal(context.switchToHttp().getRequest<Request>(), info);
    return user;
  }

  /** By a key of the shop or a token. Passport checks the token's signature, unless it is already known to be valid. */
  private async admitCaller(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = shopKeyOf(request);
    if (key !== undefined) return this.admitShopKey(context, request, key);
    const token = this.tokens.find(request.headers.authorization ?? '');
    const caller = token && (await this.callers.find(token));
    if (caller) request.user = caller;
    else await super.canActivate(context);
  }

  /** A key of the shop stands for nobody, and may do what its scopes say. */
  private async admitShopKey(context: ExecutionContext, request: Request, key: string): Promise<void> {
    const shopKey = await this.shopKeys.find(key);
    if (!shopKey) throw unknownKey({ error: 'invalid_token' });
    const needed = this.reflector.get<ScopeMark | undefined>(scopeKey, context.getHandler()) ?? 'person';
    if (needed === 'person') {
      throw new Forbidden('A key cannot do this: it takes a person, who signs in', 'missing_scope');
    }
    if (!shopKey.scopes.includes(needed)) {
      const scopes = shopKey.scopes.join(', ');
      throw new Forbidden(`This takes a key with the scope ${needed}; this key has ${scopes}`, 'missing_scope');
    }
    Object.assign(request, { shopKey });
  }

  /**
   * On an operation that the interface description declares open to all, an invalid token is none: the answer says so
   * beside what anybody gets, for clients that can renew it.
   */
  private async admitIfValid(context: ExecutionContext): Promise<void> {
    const refusal = await this.refusalOf(context);
    if (refusal) context.switchToHttp().getResponse<Response>().setHeader('WWW-Authenticate', challengeOf(refusal));
  }

  /** Identifies the caller; returns the refusal of a request without a valid token. */
  private async refusalOf(context: ExecutionContext): Promise<Unauthenticated | undefined> {
    try {
      await this.admitCaller(context);
      return undefined;
    } catch (error) {
      if (error instanceof Unauthenticated) return error;
      throw error;
    }
  }

  private async admitMember(context: ExecutionContext, request: Request, needed: KeyRole): Promise<void> {
    const member = await this.memberOf(context, request);
    if (!includesRole(member.role, needed)) {
      throw new Forbidden(`This takes the role ${needed} in the organization; yours is ${member.role}`, 'role_too_low');
    }
    Object.assign(request, { member });
  }

  private async memberOf(context: ExecutionContext, request: Request): Promise<OrganizationCaller> {
    const key = apiKeyOf(request);
    const named = organizationNamedBy(request);
    if (key !== undefined) {
      const member = await this.ofKey(key);
      if (named !== undefined && named !== member.organizationId) {
        throw new NotFound('Organization not found: the API key belongs to another one');
      }
      return member;
    }
    await this.admitCaller(context);
    return this.organizations.forUser(request.user as CallerIdentity, named);
  }

  private async ofKey(key: string): Promise<OrganizationCaller> {
    const member = await this.organizations.forKey(key);
    if (!member) throw unknownKey();
    return member;
  }

  private levelOf(context: ExecutionContext): AccessLevel {
    const mark = this.reflector.get<AccessMark | undefined>(accessKey, context.getHandler());
    return mark?.[this.settings.accessPolicy] ?? 'admin';
  }
}

function unknownKey(challenge?: Unauthenticated['challenge']): Unauthenticated {
  return new Unauthenticated('The API key is unknown, expired or revoked', 'invalid_api_key', challenge);
}

function assertAdmin({ role, awaitsTotp }: CallerIdentity): void {
  if (role === 'admin') return;
  if (!awaitsTotp) throw new Forbidden('Only an admin may do this', 'admin_only');
  const how = 'set it up by GET /api/v1/totp/setup and POST /api/v1/totp/enable, or in the console under your account';
  throw new Forbidden(`Admins of this shop need two-factor login: ${how}`, 'totp_required');
}

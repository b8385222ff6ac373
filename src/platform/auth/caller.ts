import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Unauthenticated } from '../errors/errors.js';
import type { ShopKeyCaller } from './shop-key-caller.js';

export type Role = 'user' | 'admin';

/** The caller of a request, by the access token and the current state of the account. */
export interface CallerIdentity {
  id: string;
  username: string;
  role: Role;
  /** Whether they are an admin who counts as an ordinary user until they have two-factor login. */
  awaitsTotp?: true;
  /** The session of the access token, where it has one. */
  sessionId?: string;
  /** When they last proved who they are, in seconds since 1970; a token that no login issued need not say. */
  authenticatedAt?: number;
  /** Whether the provider of OpenID Connect vouches for two factors in this session. */
  isMultiFactor?: true;
}

/** The facts that a token states about its caller. */
export interface TokenSubject {
  userId: string;
  /** The version of the account's tokens at which it was issued. */
  tokenVersion: number;
  sessionId?: string;
  authenticatedAt?: number;
  /** Whether the provider of OpenID Connect vouches for two factors. */
  isMultiFactor?: boolean;
}

/** Finds the account of a token. The users module implements it. */
export abstract class CallerDirectory {
  /** The account, or null if it was deleted, its tokens of this version were revoked, or the session was ended. */
  abstract find(token: TokenSubject): Promise<CallerIdentity | null>;

  /** The tokens whose account `find` would return, read by one statement. */
  abstract valid<T extends TokenSubject>(tokens: readonly T[]): Promise<ReadonlySet<T>>;
}

function callerOf(context: ExecutionContext): CallerIdentity | null {
  return (context.switchToHttp().getRequest<Request>().user as CallerIdentity | undefined) ?? null;
}

/** The caller of a route for signed-in callers. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): CallerIdentity => {
  const caller = callerOf(context);
  if (!caller) throw new Error('A route that takes @Caller() must carry an access mark that requires one');
  return caller;
});

/** The caller of a route that is open to all, or null without a token. */
export const MaybeCaller = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));

/** The caller of a route with `@TokenOptional()`, or the refusal of a request that has no valid access token. */
export const CallerOrRefusal = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { refusal } = context.switchToHttp().getRequest<Request & { refusal?: Unauthenticated }>();
  return callerOf(context) ?? refusal ?? new Unauthenticated();
});

/** Who asks, told apart from others who repeat requests: an account, or a key of the shop and the account that made it. */
export interface Requester {
  userId: string;
  /** Null where a person asks. */
  keyId: string | null;
}

type AdminRequest = Request & { shopKey?: ShopKeyCaller };

/** The requester of a route for admins, which keys of the shop may use too. */
export const AskedBy = createParamDecorator((_: unknown, context: ExecutionContext): Requester => {
  const { shopKey } = context.switchToHttp().getRequest<AdminRequest>();
  if (shopKey) return { userId: shopKey.createdBy, keyId: shopKey.id };
  const caller = callerOf(context);
  if (!caller) throw new Error('A route that takes @AskedBy() must carry an access mark that requires a caller');
  return { userId: caller.id, keyId: null };
});

/** Whether the caller of a route for admins may see customers' data: a person, or a key of the shop with that scope. */
export const SeesCustomers = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const { shopKey } = context.switchToHttp().getRequest<AdminRequest>();
  return !shopKey || shopKey.scopes.includes('customers:read');
});

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CallerIdentity } from './caller.js';

export const organizationRoles = ['viewer', 'member', 'admin'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** Who sent a request to the scanning wing, and for which organization. */
export interface OrganizationCaller {
  organizationId: string;
  role: OrganizationRole;
  /** Null for an API key. */
  userId: string | null;
  /** Null for a signed-in user. */
  apiKeyId: string | null;
  /** For people: the username, or the name of the key. */
  name: string;
}

/** Finds memberships and API keys. Implemented by the module that owns organizations. */
export abstract class OrganizationDirectory {
  /**
   * The user's part in the organization named, or in his only one. Throws `Forbidden` where he belongs to none,
   * `RuleBroken` where he must name one of several, `NotFound` for one that is not his.
   */
  abstract forUser(user: CallerIdentity, organizationId: string | undefined): Promise<OrganizationCaller>;

  /** The part of an API key, or null for one that is unknown, expired or revoked. */
  abstract forKey(key: string): Promise<OrganizationCaller | null>;
}

/** Whether `role` includes what `needed` may do. */
export function includesRole(role: OrganizationRole, needed: OrganizationRole): boolean {
  return organizationRoles.indexOf(role) >= organizationRoles.indexOf(needed);
}

/** The key that a request carries in `X-API-Key` or `Authorization: Key ...`. */
export function apiKeyOf(request: Request): string | undefined {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string') return header;
  return /^Key (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** The organization that a request names: in its path, which goes first, or in `X-Organization-Id`. */
export function organizationNamedBy({ params, headers }: Request): string | undefined {
  const named = params['organizationId'] ?? headers['x-organization-id'];
  return typeof named === 'string' ? named.toLowerCase() : undefined;
}

function memberOf(context: ExecutionContext): OrganizationCaller | null {
  return context.switchToHttp().getRequest<Request & { member?: OrganizationCaller }>().member ?? null;
}

/** The caller of a route that carries `@OrganizationAccess()`. */
export const Member = createParamDecorator((_: unknown, context: ExecutionContext): OrganizationCaller => {
  const member = memberOf(context);
  if (!member) throw new Error('A route that takes @Member() must carry @OrganizationAccess()');
  return member;
});

/** The part of the API key by which a route with `@BearerOrKey()` was called, or null for a signed-in caller. */
export const KeyCaller = createParamDecorator((_: unknown, context: ExecutionContext) => memberOf(context));

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CallerIdentity } from './caller.js';

export const organizationRoles = ['viewer', 'member', 'admin'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** Those of API keys: an importer is what a pipeline needs, which imports reports, reads, and changes nothing else. */
export const keyRoles = ['viewer', 'importer', 'member', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** The caller of a request to the scanning wing, and the organization of the request. */
export interface OrganizationCaller {
  organizationId: string;
  role: KeyRole;
  /** Null for an API key. */
  userId: string | null;
  /** Null for a signed-in user. */
  apiKeyId: string | null;
  /** The username, or the name of the key. */
  name: string;
}

/** Finds memberships and API keys. The organizations module implements it. */
export abstract class OrganizationDirectory {
  /**
   * The user's membership in the given organization, or in their only one. Throws `Forbidden` if they belong to none,
   * `RuleBroken` if they must choose one of several, `NotFound` for an organization of others.
   */
  abstract forUser(user: CallerIdentity, organizationId: string | undefined): Promise<OrganizationCaller>;

  /** The organization and role of an API key, or null for one that is unknown, expired or revoked. */
  abstract forKey(key: string): Promise<OrganizationCaller | null>;

  /** The callers who are still members or keys in force, read by one statement. */
  abstract present(callers: readonly OrganizationCaller[]): Promise<ReadonlySet<OrganizationCaller>>;
}

/** Whether `role` includes the rights of `needed`. */
export function includesRole(role: KeyRole, needed: KeyRole): boolean {
  return keyRoles.indexOf(role) >= keyRoles.indexOf(needed);
}

/** The API key of a request, in `X-API-Key` or `Authorization: Key ...`. */
export function apiKeyOf(request: Request): string | undefined {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string') return header;
  return /^Key (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** The organization that a request names: in its path or, failing that, in `X-Organization-Id`. */
export function organizationNamedBy({ params, headers }: Request): string | undefined {
  const named = params['organizationId'] ?? headers['x-organization-id'];
  return typeof named === 'string' ? named.toLowerCase() : undefined;
}

function memberOf(context: ExecutionContext): OrganizationCaller | null {
  return context.switchToHttp().getRequest<Request & { member?: OrganizationCaller }>().member ?? null;
}

/** The caller of a route with `@OrganizationAccess()`. */
export const Member = createParamDecorator((_: unknown, context: ExecutionContext): OrganizationCaller => {
  const member = memberOf(context);
  if (!member) throw new Error('A route that takes @Member() must carry @OrganizationAccess()');
  return member;
});

/** The API key that calls a route with `@BearerOrKey()`, or null for a signed-in caller. */
export const KeyCaller = createParamDecorator((_: unknown, context: ExecutionContext) => memberOf(context));

import { SetMetadata } from '@nestjs/common';
import type { AccessPolicyName } from '../../config/settings.js';
import type { KeyRole } from './organization-caller.js';

/** Open to all. `optional` identifies a signed-in caller; `token-optional` also says why there is none. */
type OpenLevel = 'public' | 'optional' | 'token-optional';

/** The access level of a route. */
export type AccessLevel = OpenLevel | 'bearer' | 'bearer-or-key' | 'admin' | OrganizationLevel;

/** Routes of the scanning wing require a role in the organization of the request. */
export type OrganizationLevel = `organization-${KeyRole}`;
export type AccessMark = Record<AccessPolicyName, AccessLevel>;

export const accessKey = Symbol('access');

function mark(contract: AccessLevel, hardened: AccessLevel = contract): MethodDecorator {
  return SetMetadata(accessKey, { contract, hardened });
}

/** Open to all; tokens are ignored. */
export const Public = (): MethodDecorator => mark('public');

/** Open to all; the handler takes `@CallerOrRefusal()`, and decides whether the request can do without a valid token. */
export const TokenOptional = (): MethodDecorator => mark('token-optional');

/** For signed-in callers. */
export const Bearer = (): MethodDecorator => mark('bearer');

/** For signed-in callers, whatever their organizations, and for API keys. */
export const BearerOrKey = (): MethodDecorator => mark('bearer-or-key');

/** For signed-in callers with the role `admin`. */
export const AdminOnly = (): MethodDecorator => mark('admin');

/**
 * Open to all under the `contract` policy, because the interface description declares no security: a valid token
 * identifies the caller, and an invalid one is none, which the answer says by `WWW-Authenticate`. `hardened` requires more.
 */
export const OpenUnderContract = (hardened: 'bearer' | 'admin'): MethodDecorator => mark('optional', hardened);

/**
 * For members with at least this role, by bearer token or API key. The organization is `:organizationId` of the path, else
 * that of `X-Organization-Id`, else the caller's only one.
 */
export const OrganizationAccess = (role: KeyRole): MethodDecorator => mark(`organization-${role}`);

/** The organization role that a level requires, or null. */
export function organizationRoleOf(level: AccessLevel): KeyRole | null {
  return level.startsWith('organization-') ? (level.slice('organization-'.length) as KeyRole) : null;
}

import { SetMetadata } from '@nestjs/common';
import type { AccessPolicyName } from '../../config/settings.js';
import type { OrganizationRole } from './organization-caller.js';

/** Who may call a route. `optional` is open to all and knows a signed-in caller. */
export type AccessLevel = 'public' | 'optional' | 'bearer' | 'bearer-or-key' | 'admin' | OrganizationLevel;

/** Routes of the scanning wing ask for a role in the organization that the request is about. */
export type OrganizationLevel = `organization-${OrganizationRole}`;
export type AccessMark = Record<AccessPolicyName, AccessLevel>;

export const accessKey = Symbol('access');

function mark(contract: AccessLevel, hardened: AccessLevel = contract): MethodDecorator {
  return SetMetadata(accessKey, { contract, hardened });
}

/** Open to all; a token that is sent is not looked at. */
export const Public = (): MethodDecorator => mark('public');

/** For signed-in callers. */
export const Bearer = (): MethodDecorator => mark('bearer');

/** For signed-in callers, of whichever organizations or none, and for API keys. */
export const BearerOrKey = (): MethodDecorator => mark('bearer-or-key');

/** For signed-in callers with the role `admin`. */
export const AdminOnly = (): MethodDecorator => mark('admin');

/**
 * Open to all under the `contract` policy, as the document declares no security: a token makes the caller known, and one
 * that does not hold is refused rather than taken for nobody's. `hardened` asks for more.
 */
export const OpenUnderContract = (hardened: 'bearer' | 'admin'): MethodDecorator => mark('optional', hardened);

/**
 * For members of the organization with at least this role, by bearer token or API key. The organization is the one in the
 * path where the route has `:organizationId`, else the one that `X-Organization-Id` names, else the caller's only one.
 */
export const OrganizationAccess = (role: OrganizationRole): MethodDecorator => mark(`organization-${role}`);

/** The role that a level asks for, or null where it is not about an organization. */
export function organizationRoleOf(level: AccessLevel): OrganizationRole | null {
  return level.startsWith('organization-') ? (level.slice('organization-'.length) as OrganizationRole) : null;
}

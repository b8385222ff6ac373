import { SetMetadata } from '@nestjs/common';

/** What a key of the shop may be allowed to do. */
export const keyScopes = [
  'orders:read',
  'orders:write',
  'catalog:read',
  'catalog:write',
  'customers:read',
  'webhooks:write',
  'stats:read',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scope that a route asks of a key; `person` for one that no key may use. */
export type ScopeMark = KeyScope | 'person';

export const scopeKey = Symbol('scope');

/** For routes of admins, beside their access mark: keys of the shop with this scope may use it too. */
export const Scope = (scope: KeyScope): MethodDecorator => SetMetadata(scopeKey, scope);

/** For routes of admins, beside their access mark: no key may use it. Routes without a mark are closed to keys as well. */
export const PersonOnly = (): MethodDecorator => SetMetadata(scopeKey, 'person');

import type { CallerIdentity } from '../auth/caller.js';
import type { OrganizationCaller } from '../auth/organization-caller.js';
import type { ShopKeyCaller } from '../auth/shop-key-caller.js';
import type { CurrentRequest } from '../http/current-request.js';

/** `anonymous` stands for changes that the contract leaves open; `system` for the service's own jobs and its start. */
export const auditActorKinds = ['user', 'api_key', 'system', 'anonymous'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

export interface AuditActor {
  kind: AuditActorKind;
  id: string | null;
  /** Only for an API key: readers of the log look up people's names. */
  name: string | null;
}

interface Callers {
  user?: CallerIdentity;
  member?: OrganizationCaller;
  shopKey?: ShopKeyCaller;
}

/** The actor: the caller of the request in progress, as the access guard identified them. */
export function actorOf(underWay: CurrentRequest | undefined): AuditActor {
  if (!underWay) return { kind: 'system', id: null, name: null };
  const { user, member, shopKey } = underWay.request as Callers;
  if (member && member.apiKeyId !== null) return { kind: 'api_key', id: member.apiKeyId, name: member.name };
  if (shopKey) return { kind: 'api_key', id: shopKey.id, name: shopKey.name };
  return user ? userActor(user.id) : { kind: 'anonymous', id: null, name: null };
}

/** A user as an actor, where no access guard identifies them: at a login, for example. */
export function userActor(id: string): AuditActor {
  return { kind: 'user', id: id.toLowerCase(), name: null };
}

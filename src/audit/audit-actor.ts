import type { CallerIdentity } from '../common/auth/caller.js';
import type { OrganizationCaller } from '../common/auth/organization-caller.js';
import type { RequestUnderWay } from '../common/http/request-under-way.js';

/** `anonymous` changes what the contract leaves open; `system` is the service itself: its jobs and its start. */
export const auditActorKinds = ['user', 'api_key', 'system', 'anonymous'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

export interface AuditActor {
  kind: AuditActorKind;
  id: string | null;
  /** Of an API key alone: names of people are looked up when the log is read. */
  name: string | null;
}

interface Callers {
  user?: CallerIdentity;
  member?: OrganizationCaller;
}

/** Who acts: the caller of the request under way, as the access guard found it. */
export function actorOf(underWay: RequestUnderWay | undefined): AuditActor {
  if (!underWay) return { kind: 'system', id: null, name: null };
  const { user, member } = underWay.request as Callers;
  if (member && member.apiKeyId !== null) return { kind: 'api_key', id: member.apiKeyId, name: member.name };
  return user ? userActor(user.id) : { kind: 'anonymous', id: null, name: null };
}

/** A user as an actor, where no access guard finds them: at a login, for example. */
export function userActor(id: string): AuditActor {
  return { kind: 'user', id: id.toLowerCase(), name: null };
}

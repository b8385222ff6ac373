import type { CallerIdentity } from '../common/auth/caller.js';
import type { OrganizationCaller } from '../common/auth/organization-caller.js';
import type { RequestUnderWay } from '../common/http/request-under-way.js';

/** Who reads the dashboards of the shop, all together: what one admin changes the next one looks at. */
export const adminReaders = 'admins';

/** Who reads the lists of an organization: its members and its keys, for what one of them appends the others are told of. */
export function readersOf(organizationId: string): string {
  return `organization:${organizationId}`;
}

/** Whose reads have to show what the request writes; null where nobody reads it at a replica. */
export function writerOf(underWay: RequestUnderWay | undefined): string | null {
  if (!underWay) return null;
  const { user, member } = underWay.request as { user?: CallerIdentity; member?: OrganizationCaller };
  if (member) return readersOf(member.organizationId);
  return user?.role === 'admin' ? adminReaders : null;
}

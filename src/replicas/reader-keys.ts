import type { CallerIdentity } from '../common/auth/caller.js';
import type { OrganizationCaller } from '../common/auth/organization-caller.js';
import type { RequestUnderWay } from '../common/http/request-under-way.js';

/** One key for all readers of the shop's dashboards: an admin looks at what another one changed. */
export const adminReaders = 'admins';

/** One key for an organization's members and API keys: each expects to see what another one appended. */
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

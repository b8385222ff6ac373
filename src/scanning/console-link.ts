import type { MailLinks } from '../platform/mail/mail-links.js';

/** What has a page in the console, or stands in a list there. */
export type LinkedRoot = 'issues' | 'assets' | 'scans' | 'profiles' | 'locations' | 'integrations';

/** A link to one thing of an organization in the console, or to the list that it stands in. */
export function consoleLink(links: MailLinks, organization: string, root: LinkedRoot, id?: string): string {
  const query = { organization };
  // The console has no page of locations, and profiles are in its filters of scans.
  if (root === 'locations') return links.to('/console/scanning', query);
  if (root === 'profiles') return links.to('/console/scanning/scans', id ? { ...query, profileIds: id } : query);
  if (root === 'integrations' || id === undefined) return links.to(`/console/scanning/${root}`, query);
  if (root === 'issues') return links.to('/console/scanning/issues', { ...query, issue: id });
  return links.to(`/console/scanning/${root}/${id}`, query);
}

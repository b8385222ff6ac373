import { createInfiniteQuery } from '@tanstack/svelte-query';
import { api, ask } from '../api/service.js';
import { session } from '../api/session.svelte.js';

type Query = { size: number; cursor?: string };
type Page = { nextCursor: string | null };

/** A list of the organization, page by page, under a name by which changes make it stale. */
const pagesOf = <Of extends Page>(
  name: string,
  list: (query: Query, organizationId: string) => Promise<Of>,
  size = 100,
) =>
  createInfiniteQuery(() => ({
    queryKey: [name, session.organization?.id],
    queryFn: ({ pageParam }) =>
      list({ size, ...(pageParam !== '' && { cursor: pageParam }) }, session.organization?.id ?? ''),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Of) => nextCursor ?? undefined,
  }));

// Call these when a component is initialized.

export const tagsOfOrganization = () => pagesOf('tags', (query) => ask(api.tags.list({ query })));
export const profilesOfOrganization = () => pagesOf('profiles', (query) => ask(api.profiles.list({ query })));
/** The saved views that the user sees: one's own, and those of the organization. */
export const viewsOfOrganization = () => pagesOf('views', (query) => ask(api.views.list({ query })), 50);
export const membersOfOrganization = () =>
  pagesOf('members', (query, organizationId) => ask(api.members.list({ path: { organizationId }, query })));

type Members = ReturnType<typeof membersOfOrganization>;

/** The members that are loaded, with their names: people whom one can assign or mail. */
export const peopleAmong = (members: Members): { userId: string; username: string }[] =>
  (members.data?.pages ?? []).flatMap(({ data }) =>
    data.flatMap(({ userId, username }) => (userId === null || username === null ? [] : [{ userId, username }])),
  );

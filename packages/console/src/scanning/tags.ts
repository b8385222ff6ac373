import { createInfiniteQuery } from '@tanstack/svelte-query';
import { api, ask } from '../api/service.js';
import { session } from '../api/session.svelte.js';

/** The tags of the organization, page by page. Call it when a component is initialized. */
export const tagsOfOrganization = () =>
  createInfiniteQuery(() => ({
    queryKey: ['tags', session.organization?.id],
    queryFn: ({ pageParam }) =>
      ask(api.tags.list({ query: { size: 100, ...(pageParam !== '' && { cursor: pageParam }) } })),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  }));

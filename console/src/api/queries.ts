import { QueryClient } from '@tanstack/svelte-query';
import { problemOf } from './problem.js';

/** How a version is read that somebody edits: it changes by saving alone, and is read anew for the next form. */
export const edited = { gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false } as const;

/** What was read from the service, shared by all screens: a refusal is not asked for again, a failure twice. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && (problemOf(error).status ?? 503) >= 500,
      refetchOnWindowFocus: true,
    },
  },
});

/**
 * Has a list show what it shows until what another filter finds has come, so that neither its menus close nor the focus is
 * lost; of the same owner alone, whom its key names second.
 */
export const keptOf =
  (owner: string | undefined) =>
  <Data>(data: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined =>
    query?.queryKey[1] === owner ? data : undefined;

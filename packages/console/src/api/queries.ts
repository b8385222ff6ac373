import { QueryClient } from '@tanstack/svelte-query';
import { problemOf } from './problem.js';

/** The options for reading a version into a form: only saving changes it, and the next form reads it again. */
export const edited = { gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false } as const;

/** The data read from the service, shared by all screens: a refusal is not retried, a failure twice. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && (problemOf(error).status ?? 503) >= 500,
      refetchOnWindowFocus: true,
      // A machine without a network still reaches a service of its own; elsewhere, a failure is told rather than waited for.
      networkMode: 'always',
      refetchOnReconnect: true, // which that would turn off
    },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Keeps a list on display until the data of another filter arrive, so that its menus do not close and the focus stays; only
 * for the same owner, the second part of its key.
 */
export const keptOf =
  (owner: string | undefined) =>
  <Data>(data: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined =>
    query?.queryKey[1] === owner ? data : undefined;

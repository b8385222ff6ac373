import { QueryClient } from '@tanstack/svelte-query';
import { problemOf } from './problem.js';

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

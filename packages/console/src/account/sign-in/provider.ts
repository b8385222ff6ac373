import { api, ask } from '../../api/service.js';

/** How users sign in: it stays the same until the service starts anew. */
export const providerQuery = {
  queryKey: ['provider'],
  queryFn: () => ask(api.oidc.options()),
  staleTime: Infinity,
  retry: 1,
};

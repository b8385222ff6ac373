import { api, ask } from '../api/service.js';

/** What a filter or an event may refer to by id. */
export type NamedKind = 'profile' | 'scan' | 'asset' | 'issue';

const readers: Record<NamedKind, (id: string) => Promise<string>> = {
  profile: async (id) => (await ask(api.profiles.get({ path: { id } }))).name,
  scan: async (id) => (await ask(api.scans.get({ path: { id } }))).application.name,
  asset: async (id) => (await ask(api.assets.get({ path: { id } }))).name,
  issue: async (id) => (await ask(api.issues.get({ path: { id } }))).name,
};

/** The query for the name of something; an unknown id is shown itself. */
export const nameQuery = (kind: NamedKind, id: string) => ({
  queryKey: ['name', kind, id],
  queryFn: () => readers[kind](id).catch(() => id),
  staleTime: 300_000,
});

import type { StoreClient } from '@store-service/sdk';
import { exitCodes, Failure } from '../failure.js';

const newest = { query: { size: 1 } };

/** The kinds of things that have ids, with the list whose first entry is `latest`. */
const lists = {
  ASSET: ({ assets }: StoreClient) => assets.list(newest),
  DELIVERY: ({ deliveries }: StoreClient) => deliveries.listAll(newest),
  EVENT: ({ events }: StoreClient) => events.list(newest),
  INTEGRATION: ({ integrations }: StoreClient) => integrations.list(newest),
  ISSUE: ({ issues }: StoreClient) => issues.list(newest),
  LOCATION: ({ locations }: StoreClient) => locations.list(newest),
  PROFILE: ({ profiles }: StoreClient) => profiles.list(newest),
  SCAN: ({ scans }: StoreClient) => scans.list(newest),
  TAG: ({ tags }: StoreClient) => tags.list(newest),
  WORKFLOW: ({ workflows }: StoreClient) => workflows.list(newest),
};

export type GivenKind = keyof typeof lists | 'API_KEY';

export const latest = 'latest';
const wholeLength = 36;

function wordOf(kind: GivenKind): string {
  return kind.toLowerCase().replace('_', ' ').replace('api', 'API');
}

async function latestOf(api: StoreClient, kind: GivenKind): Promise<string> {
  const [first] = kind === 'API_KEY' ? [] : (await lists[kind](api)).data.data;
  if (first) return first.id;
  throw new Failure(`There is no ${wordOf(kind)} yet, and so no latest one`, exitCodes.notFound);
}

/** The id that was meant: given in full, as `latest`, or by a unique prefix. */
export async function resolveId(api: StoreClient, kind: GivenKind, given: string): Promise<string> {
  if (given === latest) return latestOf(api, kind);
  if (given.length === wholeLength) return given;
  const { data, more } = (await api.ids.lookUp({ query: { kind, prefix: given } })).data;
  const [first] = data;
  if (!first) throw new Failure(`No ${wordOf(kind)} has an id that begins with ${given}`, exitCodes.notFound);
  if (data.length === 1) return first.id;
  const candidates = data.map(({ id, createdAt, name }) => `\n       ${id}  ${createdAt}  ${name}`).join('');
  const rest = more ? '\n       and more' : '';
  throw new Failure(`${given} is the beginning of several ids, give more of it:${candidates}${rest}`, exitCodes.usage);
}

/** The ids of a filter; undefined for none. */
export async function resolveIds(
  api: StoreClient,
  kind: GivenKind,
  given: readonly string[] | undefined,
): Promise<string[] | undefined> {
  return given && Promise.all(given.map((one) => resolveId(api, kind, one)));
}

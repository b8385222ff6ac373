import type { IdCandidates, IdKind } from '../../../../src/scanning/id-lookups/id-lookups.dto.js';
import { exitCodes, Failure } from '../failure.js';
import type { Wire } from '../wire.js';
import type { ApiClient } from './api-client.js';

/** The kinds of things that have ids, with the list whose first entry is `latest`. */
const lists = {
  ASSET: 'assets',
  DELIVERY: 'deliveries',
  EVENT: 'events',
  INTEGRATION: 'integrations',
  ISSUE: 'issues',
  LOCATION: 'locations',
  PROFILE: 'profiles',
  SCAN: 'scans',
  TAG: 'tags',
  WORKFLOW: 'workflows',
} as const satisfies Partial<Record<IdKind, string>>;

export type GivenKind = keyof typeof lists | 'API_KEY';

export const latest = 'latest';
const wholeLength = 36;

function wordOf(kind: GivenKind): string {
  return kind.toLowerCase().replace('_', ' ').replace('api', 'API');
}

async function latestOf(api: ApiClient, kind: GivenKind): Promise<string> {
  const path = kind === 'API_KEY' ? null : lists[kind];
  const page = path && (await api.get<{ data: { id: string }[] }>(path, { size: 1 }));
  const [first] = page ? page.data : [];
  if (first) return first.id;
  throw new Failure(`There is no ${wordOf(kind)} yet, and so no latest one`, exitCodes.notFound);
}

/** The id that was meant: given in full, as `latest`, or by a unique prefix. */
export async function resolveId(api: ApiClient, kind: GivenKind, given: string): Promise<string> {
  if (given === latest) return latestOf(api, kind);
  if (given.length === wholeLength) return given;
  const { data, more } = await api.get<Wire<IdCandidates>>('ids', { kind, prefix: given });
  const [first] = data;
  if (!first) throw new Failure(`No ${wordOf(kind)} has an id that begins with ${given}`, exitCodes.notFound);
  if (data.length === 1) return first.id;
  const candidates = data.map(({ id, createdAt, name }) => `\n       ${id}  ${createdAt}  ${name}`).join('');
  const rest = more ? '\n       and more' : '';
  throw new Failure(`${given} is the beginning of several ids, give more of it:${candidates}${rest}`, exitCodes.usage);
}

/** The ids of a filter; undefined for none. */
export async function resolveIds(
  api: ApiClient,
  kind: GivenKind,
  given: readonly string[] | undefined,
): Promise<string[] | undefined> {
  return given && Promise.all(given.map((one) => resolveId(api, kind, one)));
}

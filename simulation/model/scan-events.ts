import { isDone, isUncertain, match, precedes, type Call } from './calls.js';
import { type Facts, type Tell } from './facts.js';
import { listOf, textOf, type Fields } from './values.js';

interface Append {
  call: Call;
  scan: string;
  events: Fields[];
}

/** Events of scans: appended whole or not at all, once however often they are sent, and each follower gets each once. */
export function judgeScanEvents(facts: Facts, tell: Tell): void {
  const appends = appendsOf(facts);
  for (const append of appends) judgeAnswer(append, appends, tell);
  judgeScans(facts, tell);
  judgeFollowers(facts, appends, tell);
}

function eventsIn({ entry }: Call): Fields[] {
  if (Array.isArray(entry.body)) return listOf(entry.body);
  if (typeof entry.body !== 'string') return [];
  try {
    return entry.body
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Fields);
  } catch {
    return [];
  }
}

function appendsOf(facts: Facts): Append[] {
  return facts.calls.flatMap((call) => {
    const [scan] = match(call, 'POST', '/scans/*/events') ?? [];
    return scan === undefined ? [] : [{ call, scan, events: eventsIn(call) }];
  });
}

function judgeAnswer({ call, events }: Append, appends: readonly Append[], tell: Tell): void {
  if (!isDone(call)) return;
  const accepted = Number(call.answer.accepted);
  const ignored = Number(call.answer.ignored);
  if (accepted + ignored !== events.length) {
    tell(
      'scan-events/counted',
      call.n,
      `${events.length} events were sent: accepted and ignored should be as many, and are ${accepted} and ${ignored}`,
    );
    return;
  }
  const ids = events.map(({ id }) => textOf(id)).filter((id) => id !== undefined);
  const others = appends.filter((other) => other.call !== call);
  const has = (some: Append[]) => new Set(some.flatMap((other) => other.events.map(({ id }) => textOf(id))));
  const surely = has(others.filter((other) => isDone(other.call) && precedes(other.call, call)));
  const perhaps = has(
    others.filter((other) => (isDone(other.call) || isUncertain(other.call)) && !precedes(call, other.call)),
  );
  const repeated = ids.length - new Set(ids).size;
  const known = new Set(ids.filter((id) => surely.has(id))).size;
  const possible = new Set(ids.filter((id) => perhaps.has(id))).size;
  if (ignored < known + repeated || ignored > possible + repeated) {
    tell(
      'scan-events/once',
      call.n,
      `Of the events, ${known + repeated} to ${possible + repeated} were there already, and ${ignored} were ignored`,
    );
  }
}

const finalStatuses = new Set(['FINISHED', 'FAILED', 'CANCELED']);

/** A scan goes forward, and stays as it ended. */
function judgeScans(facts: Facts, tell: Tell): void {
  const last = new Map<string, { call: Call; status: string }>();
  for (const call of facts.calls) {
    if (!isDone(call) || !/^\/scans(\/[^/]+(\/cancel)?)?$/.test(call.path) || call.path === '/scans/import') continue;
    for (const scan of [call.answer, ...listOf(call.answer.data)]) {
      const status = textOf(scan.status);
      const id = textOf(scan.id);
      if (status === undefined || id === undefined || !('progressRatio' in scan)) continue;
      const earlier = last.get(id);
      const isBack =
        earlier &&
        precedes(earlier.call, call) &&
        earlier.status !== status &&
        (finalStatuses.has(earlier.status) || status === 'STARTING');
      if (isBack) {
        tell(
          'scans/transition',
          call.n,
          `Scan ${id} was ${earlier.status} in entry ${earlier.call.n}, from where it cannot become ${status}`,
        );
      }
      if (status === 'FINISHED' && scan.progressRatio !== 1) {
        tell(
          'scans/progress',
          call.n,
          `Scan ${id} is FINISHED, so that its progressRatio should be 1, and is ${String(scan.progressRatio)}`,
        );
      }
      if (!earlier || precedes(earlier.call, call)) last.set(id, { call, status });
    }
  }
}

/** One who polls: the pages of events in turn, each by the cursor of the one before. */
interface Follower {
  first: Call;
  last: Call;
  seen: Map<string, number>;
  filters: string;
  /** Whether the last page said that there is no more. */
  caughtUp: boolean;
}

function judgeFollowers(facts: Facts, appends: readonly Append[], tell: Tell): void {
  /** Who goes on from a cursor: the last call whose answer had it. */
  const byCursor = new Map<string, Follower>();
  const followers: Follower[] = [];
  for (const call of facts.calls) {
    if (!match(call, 'GET', '/events/arrivals') || !isDone(call)) continue;
    const after = call.query.get('after');
    const filters = filtersOf(call);
    const known = after === null ? undefined : byCursor.get(`${filters} ${after}`);
    const follower: Follower = {
      first: known?.first ?? call,
      last: call,
      seen: new Map(known?.seen),
      filters,
      caughtUp: call.answer.more !== true,
    };
    if (known) followers.splice(followers.indexOf(known), followers.includes(known) ? 1 : 0);
    for (const { id } of listOf(call.answer.data)) {
      const before = follower.seen.get(String(id));
      if (before !== undefined) {
        tell(
          'scan-events/follower-once',
          call.n,
          `Event ${String(id)} came to this follower in entry ${before}, and comes again`,
        );
      }
      follower.seen.set(String(id), call.n);
    }
    followers.push(follower);
    const cursor = textOf(call.answer.nextCursor);
    if (cursor !== undefined && !byCursor.has(`${filters} ${cursor}`)) byCursor.set(`${filters} ${cursor}`, follower);
    else if (cursor !== undefined && cursor === after) byCursor.set(`${filters} ${cursor}`, follower);
  }
  for (const follower of followers) judgeGaps(facts, follower, appends, tell);
}

function filtersOf(call: Call): string {
  const named = [...call.query].filter(([name]) => name !== 'after' && name !== 'size');
  return JSON.stringify([call.token, ...named.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** What was appended after a follower began and before it last looked has come to it. */
function judgeGaps(facts: Facts, follower: Follower, appends: readonly Append[], tell: Tell): void {
  const hasFilters = JSON.parse(follower.filters).length > 1;
  if (!follower.caughtUp || hasFilters || follower.first === follower.last) return;
  // Only a follower that began without a cursor of an unknown place is known to have begun at its first call.
  if (follower.first.query.get('after') !== null) return;
  const own = organizationOf(facts, follower.first);
  for (const { call, events } of appends) {
    if (!isDone(call) || !precedes(follower.first, call) || !precedes(call, follower.last)) continue;
    if (organizationOf(facts, call) !== own) continue;
    for (const { id } of events) {
      if (textOf(id) === undefined || follower.seen.has(String(id))) continue;
      // It may have been there before, and so have come before this follower began.
      const earlier = appends.some(
        (other) => !precedes(follower.first, other.call) && other.events.some((one) => one.id === id),
      );
      if (!earlier) {
        tell(
          'scan-events/no-gap',
          follower.last.n,
          `Event ${String(id)} was appended by entry ${call.n}, and this follower, who began in entry ${follower.first.n}, should have it by now`,
        );
      }
    }
  }
}

/** The organization of a call: that of the header, else that of its key or account. */
function organizationOf(facts: Facts, call: Call): string {
  const header = Object.entries(call.entry.headers).find(([name]) => name.toLowerCase() === 'x-organization-id')?.[1];
  if (header !== undefined) return header;
  for (const made of facts.calls) {
    const [organization] = match(made, 'POST', '/organizations/*/api-keys') ?? [];
    if (organization !== undefined && made.answer.key === call.token) return organization;
  }
  return facts.accountOf(call)?.username ?? call.token ?? '';
}

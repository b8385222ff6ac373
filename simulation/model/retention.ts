import { isDone, match, type Call } from './calls.js';
import { readCursor, type Facts, type Tell } from './facts.js';
import { listOf, type Fields } from './values.js';

const dayMs = 86_400_000;

/** Tasks run once a day, and a task that a fault stops runs with the next day's. */
const dailyMs = 2 * dayMs;

interface Kept {
  what: string;
  path: RegExp;
  /** How old an entry may be, with the time in which its task comes round. */
  maxAgeMs: number;
  timeOf: (entry: Fields) => unknown;
}

const kept: readonly Kept[] = [
  {
    what: 'Events of the shop',
    path: /^\/admin\/events$/,
    maxAgeMs: 30 * dayMs + dailyMs,
    timeOf: ({ created_at }) => created_at,
  },
  {
    what: 'Deliveries of the shop',
    path: /^\/admin\/webhooks\/[^/]+\/deliveries$/,
    maxAgeMs: 30 * dayMs + dailyMs,
    timeOf: ({ created_at }) => created_at,
  },
  {
    what: 'Runs of workflows',
    path: /^\/workflows\/[^/]+\/runs$/,
    maxAgeMs: 90 * dayMs + dailyMs,
    timeOf: ({ createdAt }) => createdAt,
  },
  {
    what: 'Noted requests',
    path: /^\/admin\/requests$/,
    maxAgeMs: 2 * dayMs,
    timeOf: ({ at, created_at }) => at ?? created_at,
  },
  {
    what: 'Invitations',
    path: /^\/users\/me\/invitations$/,
    maxAgeMs: 14 * dayMs,
    timeOf: ({ createdAt }) => createdAt,
  },
];

/** What is kept for a time goes after it, so that nothing grows for ever. */
export async function judgeRetention(facts: Facts, tell: Tell): Promise<void> {
  for (const call of facts.calls) {
    if (call.method !== 'GET' || !isDone(call) || clockJustJumped(facts, call)) continue;
    judgeAges(call.path, listOf(call.answer.data), call.sentAt, call.n, tell);
  }
  const noted = await readCursor(facts.end, '/api/v1/admin/requests', { next: 'next_cursor' });
  judgeAges('/admin/requests', noted ?? [], facts.endedAt, undefined, tell);
  const events = await facts.end.read('GET', '/api/v1/admin/events?limit=1', 'admin');
  judgeAges('/admin/events', listOf((events.body as Fields | null)?.data), facts.endedAt, undefined, tell);
  judgeCloses(facts, tell);
}

/** After a jump of the clock, tasks that are due since then have not yet run. */
function clockJustJumped(facts: Facts, call: Call): boolean {
  const earlier = facts.history
    .filter(({ n }) => n < call.n)
    .findLast(({ at }) => Date.parse(at) < call.sentAt - 3_600_000);
  const next = earlier && facts.history[earlier.n + 1];
  return !next || Date.parse(next.at) - Date.parse(earlier.at) > dayMs;
}

function judgeAges(path: string, entries: readonly Fields[], now: number, n: number | undefined, tell: Tell): void {
  for (const { what, path: ofKind, maxAgeMs, timeOf } of kept) {
    if (!ofKind.test(path)) continue;
    for (const entry of entries) {
      const time = Date.parse(String(timeOf(entry)));
      if (time < now - maxAgeMs) {
        tell(
          'retention/goes',
          n,
          `${what} are kept for ${Math.round(maxAgeMs / dayMs)} days at most, and one is of ${new Date(time).toISOString()}`,
        );
      }
    }
  }
}

/** A branch that nobody scanned for thirty days is closed; a closed one is listed for thirty more. */
function judgeCloses(facts: Facts, tell: Tell): void {
  for (const call of facts.calls) {
    if (!match(call, 'GET', '/branches') || !isDone(call) || clockJustJumped(facts, call)) continue;
    for (const { name, default: isDefault, lastScannedAt, closedAt } of listOf(call.answer.data)) {
      if (
        typeof lastScannedAt === 'string' &&
        closedAt === null &&
        isDefault !== true &&
        Date.parse(lastScannedAt) < call.sentAt - 30 * dayMs - dailyMs
      ) {
        tell(
          'retention/branch-closes',
          call.n,
          `Branch ${String(name)} was last scanned at ${lastScannedAt}: expected it to be closed after thirty days`,
        );
      }
      if (typeof closedAt === 'string' && Date.parse(closedAt) < call.sentAt - 30 * dayMs - dailyMs) {
        tell(
          'retention/goes',
          call.n,
          `Branch ${String(name)} was closed at ${closedAt}, and is listed for thirty days at most`,
        );
      }
    }
  }
}

import { isDone, match, type Call } from './calls.js';
import { type Facts, type Tell } from './facts.js';
import { headerOf } from './values.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Rate {
  quota: string;
  limit: number;
  withinMs: number;
  /** Whom a call counts for, undefined where it does not count. */
  of: (facts: Facts, call: Call) => string | undefined;
}

interface Holding {
  quota: string;
  limit: number;
  adds: (facts: Facts, call: Call) => string | undefined;
  removes: (facts: Facts, call: Call) => string | undefined;
}

function caller(facts: Facts, call: Call): string | undefined {
  return facts.accountOf(call)?.username.toLowerCase();
}

const rates: readonly Rate[] = [
  {
    quota: 'orders',
    limit: 1_000,
    withinMs: dayMs,
    of: (facts, call) =>
      (match(call, 'POST', '/orders') ?? match(call, 'POST', '/orders/checkout')) ? caller(facts, call) : undefined,
  },
  {
    quota: 'exports',
    limit: 10,
    withinMs: hourMs,
    of: (facts, call) => (match(call, 'GET', '/users/me/export') ? caller(facts, call) : undefined),
  },
  {
    quota: 'reviews',
    limit: 200,
    withinMs: dayMs,
    of: (facts, call) => (match(call, 'POST', '/reviews/product/*') ? caller(facts, call) : undefined),
  },
  {
    quota: 'testimonials',
    limit: 100,
    withinMs: dayMs,
    of: (facts, call) => (match(call, 'POST', '/testimonials') ? caller(facts, call) : undefined),
  },
  {
    quota: 'order-mails',
    limit: 20,
    withinMs: dayMs,
    of: (_, call) => match(call, 'POST', '/admin/orders/*/mails/*')?.[0],
  },
];

const holdings: readonly Holding[] = [
  {
    quota: 'addresses',
    limit: 10,
    adds: (facts, call) => (match(call, 'POST', '/users/me/addresses') ? caller(facts, call) : undefined),
    removes: (facts, call) => (match(call, 'DELETE', '/users/me/addresses/*') ? caller(facts, call) : undefined),
  },
  {
    quota: 'order-notes',
    limit: 200,
    adds: (_, call) => match(call, 'POST', '/admin/orders/*/notes')?.[0],
    removes: () => undefined,
  },
  {
    quota: 'webhooks',
    limit: 50,
    adds: (_, call) => (match(call, 'POST', '/admin/webhooks') ? 'the shop' : undefined),
    removes: (_, call) => (match(call, 'DELETE', '/admin/webhooks/*') ? 'the shop' : undefined),
  },
  {
    quota: 'shop-keys',
    limit: 100,
    adds: (_, call) => (match(call, 'POST', '/admin/keys') ? 'the shop' : undefined),
    removes: (_, call) => (match(call, 'DELETE', '/admin/keys/*') ? 'the shop' : undefined),
  },
  {
    quota: 'api-keys',
    limit: 500,
    adds: (_, call) => match(call, 'POST', '/organizations/*/api-keys')?.[0],
    removes: (_, call) =>
      match(call, 'DELETE', '/organizations/*/api-keys/*')?.[0] ??
      match(call, 'DELETE', '/organizations/*/api-keys')?.[0],
  },
];

/** Quotas: nobody gets beyond one, and nobody is refused who is far from it. */
export function judgeQuotas(facts: Facts, tell: Tell): void {
  for (const rate of rates) judgeRate(facts, rate, tell);
  for (const holding of holdings) judgeHolding(facts, holding, tell);
  for (const call of facts.calls) {
    if (call.status !== 429 || !('headers' in call.entry.answer)) continue;
    const wait = headerOf(call.entry.answer.headers, 'retry-after');
    if (wait === undefined || !(Number(wait) >= 0)) {
      tell(
        'quotas/retry-after',
        call.n,
        `A 429 says by Retry-After how long to wait, and this one says ${wait ?? 'nothing'}`,
      );
    }
  }
}

function judgeRate(facts: Facts, { quota, limit, withinMs, of }: Rate, tell: Tell): void {
  const taken = new Map<string, Call[]>();
  for (const call of facts.calls) {
    const whose = of(facts, call);
    if (whose === undefined) continue;
    const earlier = taken.get(whose) ?? [];
    const recent = earlier.filter(({ endedAt }) => endedAt > call.sentAt - withinMs);
    const isRepeat =
      call.idempotencyKey !== undefined && earlier.some((one) => one.idempotencyKey === call.idempotencyKey);
    if (isDone(call) && !isRepeat) {
      // A window may have begun in between: twice the limit is what two windows together allow.
      if (recent.length >= 2 * limit) {
        tell(
          'quotas/limit',
          call.n,
          `${whose} had ${recent.length} of ${quota} within the time for ${limit}: expected a 429`,
        );
      }
      taken.set(whose, [...earlier, call]);
    } else if (
      call.status === 429 &&
      call.answer.code === 'rate_exceeded' &&
      String(call.answer.detail).includes(quota)
    ) {
      const tried = facts.calls.filter(
        (one) => one.n < call.n && of(facts, one) === whose && one.endedAt > call.sentAt - 2 * withinMs,
      );
      if (tried.length < limit) {
        tell('quotas/too-early', call.n, `${whose} tried ${tried.length} of ${quota} of ${limit}, and was refused`);
      }
    }
  }
}

function judgeHolding(facts: Facts, { quota, limit, adds, removes }: Holding, tell: Tell): void {
  const most = new Map<string, number>();
  const least = new Map<string, number>();
  for (const call of facts.calls) {
    const added = adds(facts, call);
    const removed = removes(facts, call);
    // What was there before the history, and answers that were lost, may be more: what is removed may be of those.
    if (removed !== undefined && (isDone(call) || call.status === undefined))
      least.set(removed, Math.max(0, (least.get(removed) ?? 0) - (call.path.endsWith('api-keys') ? limit : 1)));
    if (added === undefined) continue;
    const known = least.get(added) ?? 0;
    if (isDone(call)) {
      if (known >= limit)
        tell(
          'quotas/limit',
          call.n,
          `${added} held ${known} of ${quota}, of which ${limit} are allowed: expected a 403`,
        );
      least.set(added, known + 1);
    }
    if (isDone(call) || call.status === undefined || call.status >= 500) most.set(added, (most.get(added) ?? 0) + 1);
    else if (call.answer.code === 'quota_exceeded' && added !== 'the shop' && (most.get(added) ?? 0) < limit) {
      tell(
        'quotas/too-early',
        call.n,
        `${added} was given ${most.get(added) ?? 0} of ${quota} of ${limit}, and was refused`,
      );
    }
  }
}

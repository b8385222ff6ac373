import { register } from 'node:module';

/** The service with one thing broken on purpose. */
interface Mutant {
  name: string;
  /** What somebody might have done. */
  what: string;
  /** The file under src/, and what stands in it once, with what stands there instead. */
  file: string;
  edits: readonly (readonly [before: string, after: string])[];
}

/** Faults that somebody who uses the service would feel: the simulator must find them. README.md says which seed did. */
export const mutants: readonly Mutant[] = [
  {
    name: 'lock-less',
    what: 'An order reads the stock of its goods without a lock',
    file: 'store/orders/place-order.statements.ts',
    edits: [
      ['      ORDER BY p.id\n        FOR NO KEY UPDATE OF p),', '      ORDER BY p.id),'],
      ['    ORDER BY id\n      FOR NO KEY UPDATE`,', '    ORDER BY id`,'],
    ],
  },
  {
    name: 'effect-before-commit',
    what: 'What is to happen after the commit happens before it',
    file: 'database/unit-of-work.ts',
    edits: [['if (unit) unit.afterCommit.push(effect);\n    else effect();', 'void unit;\n    effect();']],
  },
  {
    name: 'event-after-commit',
    what: 'The event of a status is written after the commit, and so may be lost',
    file: 'store/orders/orders.service.ts',
    edits: [
      [
        'await this.repository.tellStatus(id, status);\n    const changes',
        'this.unitOfWork.afterCommit(() => this.repository.tellStatus(id, status));\n    const changes',
      ],
    ],
  },
  {
    name: 'refund-before-commit',
    what: 'The provider is asked to pay back before the refund is committed',
    file: 'store/payments/refunds.service.ts',
    edits: [
      [
        'await this.unitOfWork.run(() => this.requests.once({ by, key, asks }, begin));\n    for (const id of ids) await this.carryOut(id, isRetry);',
        'await this.unitOfWork.run(async () => {\n      const begun = await this.requests.once({ by, key, asks }, begin);\n      for (const id of begun.ids) await this.carryOut(id, isRetry);\n      return begun;\n    });',
      ],
    ],
  },
  {
    name: 'retry-without-key',
    what: 'A refund that is asked for again by its Idempotency-Key is another one',
    file: 'store/idempotency/idempotent-requests.service.ts',
    edits: [
      [
        'if (sentKey === null) return work();\n    const',
        'if (work) return work();\n    if (sentKey === null) return work();\n    const',
      ],
    ],
  },
  {
    name: 'checkout-key-ignored',
    what: 'An order that is placed again by its Idempotency-Key finds an empty cart',
    file: 'store/orders/checkout.service.ts',
    edits: [['if (key === null) return null;', 'if (key !== undefined) return null;']],
  },
  {
    name: 'mail-loop',
    what: 'The job of a mail waits for further mails, and does not end',
    file: 'platform/mail/mail-sender.ts',
    edits: [
      [
        '      this.counts.sent += 1;\n',
        '      this.counts.sent += 1;\n      for (;;) await sleep(10_000, undefined, { signal });\n',
      ],
    ],
  },
  {
    name: 'mail-twice',
    what: 'A mail is handed over twice',
    file: 'platform/mail/mail-sender.ts',
    edits: [
      [
        '      this.counts.sent += 1;\n',
        '      await transport.deliver(await this.toMessage(id, new Date(at), mail), signal);\n      this.counts.sent += 1;\n',
      ],
    ],
  },
  {
    name: 'token-lives-on',
    what: 'An access token that was seen once never expires',
    file: 'platform/auth/known-tokens.ts',
    edits: [['token.expiresAt > Date.now() / 1000', 'token.expiresAt > 0']],
  },
  {
    name: 'session-lives-on',
    what: 'A session goes on after its owner signed out',
    file: 'store/sessions/sessions.statements.ts',
    edits: [
      [
        "SET ended_at = now(), expires_at = now() + $3::integer * interval '1 second', successor = NULL",
        "SET expires_at = s.expires_at + $3::integer * interval '0 seconds'",
      ],
    ],
  },
  {
    name: 'quota-not-kept',
    what: 'A quota is a thousand times as large as it says',
    file: 'platform/quotas/stock-quotas.ts',
    edits: [['> quota.limit) throw full(quota);', '> quota.limit * 1_000) throw full(quota);']],
  },
  {
    name: 'stock-not-returned',
    what: 'The pieces of a cancelled order do not go back into stock',
    file: 'store/orders/orders.service.ts',
    edits: [['this.repository.giveBack(order, restock)', 'this.repository.giveBack(order, restock && false)']],
  },
  {
    name: 'refund-without-cap',
    what: 'More goes back than what came',
    file: 'store/payments/refund-parts.ts',
    edits: [
      ['  if (toCents(amount) > toCents(held)) throw tooLarge(order, amount, held);\n', ''],
      [
        'const part = Math.min(open, toCents(left));',
        'const part = payments.length === 1 ? open : Math.min(open, toCents(left));',
      ],
    ],
  },
  {
    name: 'retries-without-end',
    what: 'A webhook is tried again by the last wait for ever',
    file: 'platform/delivery/attempt-log.ts',
    edits: [
      ['failures + 1, retryAfter', 'Math.min(failures + 1, this.settings.webhookRetrySeconds.length), retryAfter'],
    ],
  },
  {
    name: 'acceptance-without-end',
    what: 'An acceptance never ends',
    file: 'scanning/issues/issue-acceptances.repository.ts',
    edits: [['i.accepted_until <= now() ORDER', "i.accepted_until <= now() - interval '9 years' ORDER"]],
  },
  {
    name: 'coupon-not-counted',
    what: 'The use of a coupon is not counted',
    file: 'store/orders/place-order.statements.ts',
    edits: [['SET current_uses = current_uses + 1 ', 'SET current_uses = current_uses ']],
  },
  {
    name: 'digest-dropped',
    what: 'A digest whose time has come is thrown away',
    file: 'scanning/workflows/digests.repository.ts',
    edits: [['WHERE a.id = $1 AND gathered.ids IS NOT NULL', 'WHERE a.id = $1 AND gathered.ids IS NOT NULL AND false']],
  },
  {
    name: 'audit-left-out',
    what: 'A new coupon is not in the audit log',
    file: 'store/coupons/coupons.service.ts',
    edits: [["      await this.record('coupon.created', null, made);\n", '']],
  },
  {
    name: 'old-report-decides',
    what: 'The report of an older commit that comes late decides which issues are open',
    file: 'scanning/reports/import-outcomes.statements.ts',
    edits: [['r.is_whole AND r.committed_at > $3', 'r.is_whole AND false AND r.committed_at > $3']],
  },
  {
    name: 'cart-merged-twice',
    what: 'The cart of a browser is merged again, though the request has its Idempotency-Key',
    file: 'store/cart/cart-merge.service.ts',
    edits: [['const key = sentKey === null ? null :', 'const key = sentKey === null || lines.length > 0 ? null :']],
  },
  {
    name: 'prices-of-today',
    what: 'An order shows what its goods cost today',
    file: 'store/orders/order-json.statements.ts',
    edits: [['line.quantity, line.price, ${name} AS name', 'line.quantity, p.price, ${name} AS name']],
  },
  {
    name: 'events-go-early',
    what: 'Events of the shop are removed some days too early',
    file: 'store/events/store-events.repository.ts',
    edits: [["interval '${eventDays} days'", "interval '${eventDays - 3} days'"]],
  },
];

/** Puts mutants, by their names with commas between, in the place of the files that they break: in this process alone. */
export function plant(names: string): void {
  const edits: Record<string, [string, string][]> = {};
  for (const name of names.split(',')) {
    const mutant = mutants.find((one) => one.name === name);
    if (!mutant) throw new Error(`There is no mutant ${name}: there are ${mutants.map((one) => one.name).join(', ')}`);
    const url = new URL(`../src/${mutant.file}`, import.meta.url).href;
    (edits[url] ??= []).push(...mutant.edits.map(([before, after]): [string, string] => [before, after]));
  }
  register('../scripts/mutant-loader.mjs', import.meta.url, { data: edits });
}

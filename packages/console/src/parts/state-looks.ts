/** What a state means for whoever looks, each in a color of its own; the word beside it says the same. */
const looks = {
  /** Somebody has to act, or something is to come first. */
  waiting: 'border-warn text-warn bg-warn-soft',
  /** On its way. */
  moving: 'border-accent text-accent bg-accent-soft',
  done: 'border-good text-good bg-good-soft',
  failed: 'border-bad text-bad bg-bad-soft',
  /** Over, or switched off, as somebody wished. */
  ended: 'border-line-strong text-soft bg-raised',
  /** A property rather than a step. */
  plain: 'border-line-strong text-ink bg-raised',
};

const states: Record<Exclude<keyof typeof looks, 'plain'>, readonly string[]> = {
  waiting: [
    'open',
    'pending',
    'manual_review',
    'starting',
    'retrying',
    'invited',
    'unpaid',
    'partly paid',
    'low stock',
    'overdue',
    'scheduled',
    'warning',
    'slow',
  ],
  moving: ['paid', 'processing', 'shipped', 'running', 'sending'],
  done: [
    'delivered',
    'completed',
    'finished',
    'resolved',
    'enabled',
    'valid',
    'active',
    'paid in full',
    'published',
    'done',
    'sent',
    'ok',
    'kept',
    'gate open',
  ],
  failed: ['failed', 'exhausted', 'invalid', 'out of stock', 'refused', 'gate closed'],
  ended: [
    'cancelled',
    'canceled',
    'refunded',
    'partly refunded',
    'all refunded',
    'by hand',
    'disabled',
    'expired',
    'ended',
    'revoked',
    'used up',
    'skipped',
    'ignored',
    'false_positive',
    'archived',
    'off',
    'interrupted',
  ],
};

const lookOf = new Map(
  Object.entries(states).flatMap(([look, words]) => words.map((word) => [word, looks[look as keyof typeof states]])),
);

export const lookOfState = (word: string): string => lookOf.get(word.toLowerCase()) ?? looks.plain;

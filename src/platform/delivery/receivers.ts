import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/**
 * The most deliveries that this node sends at once: to one receiver, so that a hanging one leaves slots for others; of
 * one sender (an organization, or the shop), however many receivers it has; to one host; and of one sender to one host,
 * so that nobody's receivers there take the slots of others.
 */
const slots = { receiver: 4, sender: 24, host: 16, share: 8 };
/** How long a delivery waits for a slot before it is postponed. */
const waitMs = 300;
/** From here on a receiver counts as slow, and for a while has a single slot. */
const slowMs = 5_000;
const slowForMs = 300_000;

/** An address to which a sender sends. Others that send there have receivers of their own. */
interface Receiver {
  sender: string;
  url: string;
}

/** The flags of a job that sends to a receiver, the receiver's own first. */
export type ReceiverFlags = [receiver: string, ...rest: string[]];

/** The flags of a job that sends to this receiver. They are stored in clear, so the address is hashed. */
export function receiverFlags({ sender, url }: Receiver): ReceiverFlags {
  const digest = createHash('sha256').update(`${sender} ${url}`).digest('base64url').slice(0, 22);
  // The port counts, since different servers may share a host; the final dot of a name does not.
  const { hostname, port } = new URL(url);
  const host = `${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`;
  return [`receiver:${digest}`, `sender:${sender}`, `host:${host}`, `share:${sender}@${host}`];
}

/** A slot for one delivery. It must be released, with the duration of the delivery. */
interface Slot {
  release(durationMs: number): void;
}

/** Limits the deliveries that this node sends at once, so that hanging receivers delay only themselves. */
@Injectable()
export class Receivers {
  private readonly busy = new Map<string, number>();
  private readonly slow = new LRUCache<string, true>({ max: 10_000, ttl: slowForMs });
  private readonly released = new EventEmitter().setMaxListeners(0);

  /** A slot at the receiver; null if none becomes free soon. */
  async acquire(receiver: Receiver): Promise<Slot | null> {
    const flags = receiverFlags(receiver);
    const timeout = AbortSignal.timeout(waitMs);
    while (flags.some((flag) => this.isFull(flag))) {
      const released = await once(this.released, 'released', { signal: timeout }).catch(() => null);
      if (!released) return null;
    }
    for (const flag of flags) this.busy.set(flag, (this.busy.get(flag) ?? 0) + 1);
    return { release: (durationMs) => this.release(flags, durationMs) };
  }

  /** Forgets which receivers are slow. */
  forget(): void {
    this.slow.clear();
  }

  /** The flags of jobs for which there is no free slot. */
  full(): string[] {
    return [...this.busy.keys()].filter((flag) => this.isFull(flag));
  }

  private isFull(flag: string): boolean {
    const kind = flag.slice(0, flag.indexOf(':')) as keyof typeof slots;
    return (this.busy.get(flag) ?? 0) >= (this.slow.has(flag) ? 1 : slots[kind]);
  }

  private release(flags: ReceiverFlags, durationMs: number): void {
    const [receiver] = flags;
    if (durationMs >= slowMs) this.slow.set(receiver, true);
    else this.slow.delete(receiver);
    for (const flag of flags) {
      const count = (this.busy.get(flag) ?? 1) - 1;
      if (count === 0) this.busy.delete(flag);
      else this.busy.set(flag, count);
    }
    this.released.emit('released');
  }
}

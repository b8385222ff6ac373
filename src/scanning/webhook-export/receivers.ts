import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/**
 * How many deliveries are under way on this node at most: to one receiver, so that one that hangs leaves room for all
 * others; of one organization, however many receivers it has; to one host; and of one organization to one host, so that
 * nobody's receivers there take the places of others.
 */
const places = { receiver: 4, organization: 24, host: 16, share: 8 };
/** How long a delivery waits here for a place before it makes way for others. */
const patienceMs = 300;
/** From here on a receiver counts as slow, and for a while has one place alone. */
const slowMs = 5_000;
const slowForMs = 300_000;

/** An address to which an organization sends. Others that send there too have receivers of their own. */
interface Receiver {
  organizationId: string;
  url: string;
}

/** The marks of a job that sends to a receiver, the receiver's own first. */
export type ReceiverMarks = [receiver: string, ...rest: string[]];

/** The marks of a job that sends to this receiver. Jobs lie open in the database, addresses do not: they are hashed. */
export function receiverMarks({ organizationId, url }: Receiver): ReceiverMarks {
  const digest = createHash('sha256').update(`${organizationId} ${url}`).digest('base64url').slice(0, 22);
  // The port counts, for different servers may share a host; the final dot of a name does not, for it changes nothing.
  const { hostname, port } = new URL(url);
  const host = `${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`;
  return [`receiver:${digest}`, `organization:${organizationId}`, `host:${host}`, `share:${organizationId}@${host}`];
}

/** A place for one delivery. It must be left, with how long the delivery took. */
interface Place {
  leave(durationMs: number): void;
}

/** Shares out what this node sends at once, so that receivers that hang hold up nobody but themselves. */
@Injectable()
export class Receivers {
  private readonly busy = new Map<string, number>();
  private readonly slow = new LRUCache<string, true>({ max: 10_000, ttl: slowForMs });
  private readonly left = new EventEmitter().setMaxListeners(0);

  /** A place at the receiver; null where none gets free soon. */
  async take(receiver: Receiver): Promise<Place | null> {
    const marks = receiverMarks(receiver);
    const patience = AbortSignal.timeout(patienceMs);
    while (marks.some((mark) => this.isFull(mark))) {
      const left = await once(this.left, 'left', { signal: patience }).catch(() => null);
      if (!left) return null;
    }
    for (const mark of marks) this.busy.set(mark, (this.busy.get(mark) ?? 0) + 1);
    return { leave: (durationMs) => this.leave(marks, durationMs) };
  }

  /** The marks of jobs for which there is no place now. */
  full(): string[] {
    return [...this.busy.keys()].filter((mark) => this.isFull(mark));
  }

  private isFull(mark: string): boolean {
    const kind = mark.slice(0, mark.indexOf(':')) as keyof typeof places;
    return (this.busy.get(mark) ?? 0) >= (this.slow.has(mark) ? 1 : places[kind]);
  }

  private leave(marks: ReceiverMarks, durationMs: number): void {
    const [receiver] = marks;
    if (durationMs >= slowMs) this.slow.set(receiver, true);
    else this.slow.delete(receiver);
    for (const mark of marks) {
      const taken = (this.busy.get(mark) ?? 1) - 1;
      if (taken === 0) this.busy.delete(mark);
      else this.busy.set(mark, taken);
    }
    this.left.emit('left');
  }
}

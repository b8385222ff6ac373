import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** How many deliveries to one receiver are under way on this node at most: one that hangs leaves room for all others. */
const placesOfHost = 4;
/** And how many of one organization, however many receivers it has. */
const placesOfOrganization = 24;
/** How long a delivery waits here for a place before it makes way for others. */
const patienceMs = 300;
/** From here on a receiver counts as slow, and for a while has one place alone. */
const slowMs = 5_000;
const slowForMs = 300_000;

interface Receiver {
  organizationId: string;
  url: string;
}

/** The marks of a job that sends to this receiver; the port counts, for different servers may share a host. */
export function receiverMarks({ organizationId, url }: Receiver): [host: string, organization: string] {
  return [`host:${new URL(url).host}`, `organization:${organizationId}`];
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
    const places = mark.startsWith('organization:') ? placesOfOrganization : this.slow.has(mark) ? 1 : placesOfHost;
    return (this.busy.get(mark) ?? 0) >= places;
  }

  private leave(marks: [host: string, organization: string], durationMs: number): void {
    const [host] = marks;
    if (durationMs >= slowMs) this.slow.set(host, true);
    else this.slow.delete(host);
    for (const mark of marks) {
      const taken = (this.busy.get(mark) ?? 1) - 1;
      if (taken === 0) this.busy.delete(mark);
      else this.busy.set(mark, taken);
    }
    this.left.emit('left');
  }
}

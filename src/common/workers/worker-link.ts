import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { CacheTag } from '../changes/change-bus.js';
import { NodeRates, type RateOfNode } from './node-rates.js';
import { Occupancy, type BoundedCount } from './occupancy.js';

/** A place in each of the counts, or the index of the full one. */
export type Place = { readonly leave: () => void } | { readonly full: number };

/** This process among the workers of its node, which to the outside are one. */
export abstract class WorkerLink {
  /** The same for all workers of a node. */
  abstract readonly nodeId: string;
  /** How many processes the node has. */
  abstract readonly workers: number;
  /** When the node started, in milliseconds since 1970. */
  abstract readonly startedAt: number;
  /** Invalidates these cache tags in all other workers, and returns when they have done so. */
  abstract publish(cacheTags: readonly CacheTag[]): Promise<void>;
  /** Calls `listener` with the tags from other workers, before these get their answer. */
  abstract onPublished(listener: (cacheTags: readonly CacheTag[]) => void): void;
  /** Counts one more against a limit of the node; returns the milliseconds to wait, 0 where it is within. */
  abstract count(rate: RateOfNode, key: string): Promise<number>;
  /** Takes a place in each of these counts of the node, or in none. */
  abstract occupy(counts: BoundedCount[]): Promise<Place>;
  /** The metrics of the whole node, as Prometheus reads them. `own` are those of this process. */
  abstract metrics(own: Registry): Promise<string>;
}

/** The one process of a node that has no other. */
export class LoneProcess extends WorkerLink {
  readonly nodeId = randomUUID();
  readonly workers = 1;
  readonly startedAt = Date.now() - process.uptime() * 1_000;
  private readonly rates = new NodeRates();
  private readonly occupancy = new Occupancy();

  async publish(): Promise<void> {
    // There is no other worker to invalidate.
  }

  onPublished(): void {
    // There is no other worker to hear from.
  }

  count(rate: RateOfNode, key: string): Promise<number> {
    return this.rates.count(rate, key);
  }

  async occupy(counts: BoundedCount[]): Promise<Place> {
    const full = this.occupancy.take(counts);
    return full === null ? { leave: () => this.occupancy.leave(counts) } : { full };
  }

  metrics(own: Registry): Promise<string> {
    return own.metrics();
  }
}

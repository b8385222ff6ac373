import { AggregatorRegistry, type Registry } from 'prom-client';
import type { CacheTag } from '../common/changes/change-bus.js';
import { freshMs } from '../common/changes/freshness.js';
import type { Channel, Commission } from '../common/workers/channel.js';
import { NodeRates, type RateOfNode } from '../common/workers/node-rates.js';
import type { BoundedCount } from '../common/workers/occupancy.js';
import { within } from '../common/workers/within.js';
import { type Place, WorkerLink } from '../common/workers/worker-link.js';

/**
 * How long a change waits for workers that do not confirm their invalidation. Their older entries are fresh for `freshMs`
 * after the change at most, and are not used after that: then nothing is left to invalidate.
 */
const longestWaitMs = freshMs + 200;
/** If the primary process does not answer for so long, this process counts on its own. */
const countPatienceMs = 1_000;

/** One of several processes of a node; the primary process stands between them. */
export class LinkedWorker extends WorkerLink {
  readonly nodeId: string;
  readonly workers: number;
  readonly startedAt: number;
  private readonly listeners: ((cacheTags: readonly CacheTag[]) => void)[] = [];
  private readonly ownRates = new NodeRates();
  private own: Registry | undefined;

  constructor(
    private readonly channel: Channel,
    commission: Commission,
  ) {
    super();
    this.nodeId = commission.nodeId;
    this.workers = commission.workers;
    this.startedAt = commission.startedAt;
    channel.handle('forget', (cacheTags) => {
      for (const listener of this.listeners) listener(cacheTags);
      return null;
    });
    channel.handle('measure', () => this.own?.getMetricsAsJSON() ?? []);
  }

  async publish(cacheTags: readonly CacheTag[]): Promise<void> {
    await within(longestWaitMs, this.channel.ask('changed', [...cacheTags])).catch(() => undefined);
  }

  onPublished(listener: (cacheTags: readonly CacheTag[]) => void): void {
    this.listeners.push(listener);
  }

  async count(rate: RateOfNode, key: string): Promise<number> {
    return within(countPatienceMs, this.channel.ask('count', { rate, key })).catch(() =>
      this.ownRates.count(rate, key),
    );
  }

  async occupy(counts: BoundedCount[]): Promise<Place> {
    const full = await this.channel.ask('occupy', counts);
    if (full !== null) return { full };
    return { leave: () => void this.channel.ask('leave', counts).catch(() => undefined) };
  }

  /** Adds the metrics of this process to those of others. */
  share(own: Registry): void {
    this.own = own;
  }

  async metrics(own: Registry): Promise<string> {
    const others = await this.channel.ask('others', null);
    return AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...others]).metrics();
  }
}

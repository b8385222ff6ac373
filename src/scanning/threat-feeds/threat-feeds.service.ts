import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { type ThreatFeed, threatFeedKinds } from '../../config/threat-feed-settings.js';
import { Metrics } from '../../platform/http/metrics.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { IssueThreatsService } from '../issues/issue-threats.service.js';
import { epssParts } from './epss-feed.js';
import { FeedBytes } from './feed-bytes.js';
import { FeedFault } from './feed-fault.js';
import { kevParts } from './kev-feed.js';
import { ThreatFeedsRepository } from './threat-feeds.repository.js';

// Unspecified: how many entries a feed may have. EPSS has 300,000.
const maxEntries = 1_000_000;
const rowsAtOnce = 5_000;
/** A feed of which half is missing is broken, however well it reads. */
const leastShare = 0.5;

/** What was read of a feed, and does not count yet. */
interface ReadFeed {
  generation: string;
  publishedAt: Date | null;
  entries: number;
}

/** Reads the feeds that THREAT_FEEDS names, once a day, and rates the issues by them. */
@Injectable()
export class ThreatFeedsService implements OnModuleInit {
  private readonly logger = new Logger('ThreatFeeds');

  constructor(
    private readonly settings: Settings,
    private readonly repository: ThreatFeedsRepository,
    private readonly bytes: FeedBytes,
    private readonly issues: IssueThreatsService,
    private readonly jobs: JobRunner,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'threat-feeds',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.readAll(signal),
    });
    this.watch();
  }

  /** Reads every feed, and rates the issues. A feed that cannot be read keeps what it said before. */
  async readAll(signal?: AbortSignal): Promise<void> {
    const { threatFeeds } = this.settings;
    const known = await this.repository.all();
    if (threatFeeds.length === 0 && known.length === 0) return;
    for (const kind of threatFeedKinds) {
      const feed = threatFeeds.find((one) => one.kind === kind);
      if (feed) await this.readOne(feed, known.find((one) => one.kind === kind) ?? null, signal);
      // The demo comes with what feeds say, which nobody names.
      else if (!this.settings.demoData) await this.repository.forget(kind);
      await this.repository.sweep(kind, signal);
    }
    await this.issues.rateAll(signal);
  }

  private async readOne(
    feed: ThreatFeed,
    known: { publishedAt: Date | null; entries: number } | null,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      const { generation, publishedAt, entries } = await this.read(feed, signal);
      assertUsable({ publishedAt, entries }, known);
      await this.repository.publish(feed.kind, generation, publishedAt, entries);
      this.logger.log(`${feed.kind} was read: ${entries} vulnerabilities`);
    } catch (error) {
      if (!(error instanceof FeedFault)) throw error;
      this.logger.warn(`${feed.kind} could not be read, and what it said before stays: ${error.message}`);
      await this.repository.fail(feed.kind, error.message.slice(0, 1_000));
    }
  }

  private async read(feed: ThreatFeed, signal?: AbortSignal): Promise<ReadFeed> {
    const bytes = this.bytes.of(feed, signal);
    const generation = randomUUID();
    return feed.kind === 'EPSS'
      ? this.keep(epssParts(bytes), generation, (rows) => this.repository.addEpss(generation, rows))
      : this.keep(kevParts(bytes), generation, (rows) => this.repository.addKev(generation, rows));
  }

  /** Adds the rows of a feed while it is read. */
  private async keep<Row>(
    parts: AsyncIterable<{ publishedAt: Date } | { rows: Row[] }>,
    generation: string,
    add: (rows: Row[]) => Promise<number>,
  ): Promise<ReadFeed> {
    let publishedAt: Date | null = null;
    let entries = 0;
    let waiting: Row[] = [];
    const flush = async (): Promise<void> => {
      for (let from = 0; from < waiting.length; from += rowsAtOnce) {
        entries += await add(waiting.slice(from, from + rowsAtOnce));
      }
      waiting = [];
      if (entries > maxEntries) throw new FeedFault(`it has more than ${maxEntries} entries`);
    };
    for await (const part of parts) {
      if ('publishedAt' in part) publishedAt = part.publishedAt;
      else waiting = waiting.concat(part.rows);
      if (waiting.length >= rowsAtOnce) await flush();
    }
    await flush();
    return { generation, publishedAt, entries };
  }

  private watch(): void {
    const look = async (value: (feed: { readAt: Date | null; fault: string | null }) => number | undefined) => {
      const feeds = await this.repository.all();
      return feeds.flatMap((feed) => {
        const one = value(feed);
        return one === undefined ? [] : [{ labels: [feed.kind.toLowerCase()], value: one }];
      });
    };
    this.metrics.watchEach('threat_feed_read_timestamp_seconds', 'When each threat feed was last read completely', {
      labels: ['feed'],
      aggregator: 'max',
      look: () => look(({ readAt }) => (readAt ? readAt.getTime() / 1_000 : undefined)),
    });
    this.metrics.watchEach('threat_feed_failed', 'Whether the newest attempt to read a threat feed failed: 1 or 0', {
      labels: ['feed'],
      aggregator: 'max',
      look: () => look(({ fault }) => Number(fault !== null)),
    });
  }
}

/** Throws `FeedFault` for a feed that says less, or older things, than the one before. */
function assertUsable(
  { publishedAt, entries }: Pick<ReadFeed, 'publishedAt' | 'entries'>,
  known: { publishedAt: Date | null; entries: number } | null,
): void {
  if (entries === 0) throw new FeedFault('it is empty');
  if (!known) return;
  if (publishedAt && known.publishedAt && publishedAt < known.publishedAt) {
    throw new FeedFault(`it is older than what is known: of ${publishedAt.toISOString().slice(0, 10)}`);
  }
  if (entries < known.entries * leastShare) {
    throw new FeedFault(`it has ${entries} entries, less than half of the ${known.entries} that are known`);
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { type ThreatFeedKind } from '../../config/threat-feed-settings.js';
import type { EpssRow } from './epss-feed.js';
import type { KevRow } from './kev-feed.js';
import { ThreatFeedEntity } from './threat-feed.entity.js';

const addEpss = statement(
  'threat-feeds.add-epss',
  `INSERT INTO epss_scores (generation, cve, epss, percentile)
   SELECT $1, * FROM unnest($2::text[], $3::double precision[], $4::double precision[])
       ON CONFLICT DO NOTHING`,
);

const addKev = statement(
  'threat-feeds.add-kev',
  `INSERT INTO known_exploited (generation, cve, added_on, due_on, ransomware)
   SELECT $1, * FROM unnest($2::text[], $3::date[], $4::date[], $5::boolean[])
       ON CONFLICT DO NOTHING`,
);

const publish = statement(
  'threat-feeds.publish',
  `INSERT INTO threat_feeds (kind, generation, published_at, read_at, entries, fault) VALUES ($1, $2, $3, now(), $4, NULL)
       ON CONFLICT (kind) DO UPDATE
      SET generation = excluded.generation, published_at = excluded.published_at, read_at = excluded.read_at,
          entries = excluded.entries, fault = NULL`,
);

const fail = statement(
  'threat-feeds.fail',
  `INSERT INTO threat_feeds (kind, fault) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET fault = excluded.fault`,
);

const rowsAtOnce = 10_000;
/** Rows of generations that do not count, some at a time: a feed that failed halfway leaves some, too. */
const sweeps: Record<ThreatFeedKind, ReturnType<typeof statement>> = {
  EPSS: statement(
    'threat-feeds.sweep-epss',
    `DELETE FROM epss_scores WHERE (generation, cve) IN (
       SELECT generation, cve FROM epss_scores
        WHERE generation IS DISTINCT FROM (SELECT generation FROM threat_feeds WHERE kind = 'EPSS')
        LIMIT ${rowsAtOnce})`,
  ),
  KEV: statement(
    'threat-feeds.sweep-kev',
    `DELETE FROM known_exploited WHERE (generation, cve) IN (
       SELECT generation, cve FROM known_exploited
        WHERE generation IS DISTINCT FROM (SELECT generation FROM threat_feeds WHERE kind = 'KEV')
        LIMIT ${rowsAtOnce})`,
  ),
};

@Injectable()
export class ThreatFeedsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ThreatFeedEntity) private readonly feeds: Repository<ThreatFeedEntity>,
  ) {}

  all(): Promise<ThreatFeedEntity[]> {
    return this.feeds.find({ order: { kind: 'ASC' } });
  }

  /** Adds rows that do not count yet; returns how many of them are new. */
  addEpss(generation: string, rows: EpssRow[]): Promise<number> {
    const columns = [
      rows.map(({ cve }) => cve),
      rows.map(({ epss }) => epss),
      rows.map(({ percentile }) => percentile),
    ];
    return this.database.execute(addEpss, [generation, ...columns]);
  }

  addKev(generation: string, rows: KevRow[]): Promise<number> {
    return this.database.execute(addKev, [
      generation,
      rows.map(({ cve }) => cve),
      rows.map(({ addedOn }) => addedOn),
      rows.map(({ dueOn }) => dueOn),
      rows.map(({ ransomware }) => ransomware),
    ]);
  }

  /** Makes a generation the one that counts, in one statement. */
  async publish(kind: ThreatFeedKind, generation: string, publishedAt: Date | null, entries: number): Promise<void> {
    await this.database.execute(publish, [kind, generation, publishedAt, entries]);
  }

  /** Notes why a feed could not be read; what it said before stays. */
  async fail(kind: ThreatFeedKind, fault: string): Promise<void> {
    await this.database.execute(fail, [kind, fault]);
  }

  /** Forgets a feed that nobody names any more. */
  async forget(kind: ThreatFeedKind): Promise<void> {
    await this.feeds.delete({ kind });
  }

  /** Deletes the rows that do not count. */
  async sweep(kind: ThreatFeedKind, signal?: AbortSignal): Promise<void> {
    while ((await this.database.execute(sweeps[kind], [])) === rowsAtOnce) signal?.throwIfAborted();
  }
}

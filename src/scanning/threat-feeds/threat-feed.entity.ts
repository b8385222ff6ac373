import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ThreatFeedKind } from '../../config/threat-feed-settings.js';

/** What a feed said when it was last read, and what went wrong since. */
@Entity('threat_feeds')
export class ThreatFeedEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'threat_feeds_pkey' })
  kind: ThreatFeedKind;

  /** The rows that count; null as long as none were read. */
  @Column('uuid', { nullable: true })
  generation: string | null;

  /** When the feed itself says that it was made. */
  @Column('timestamp with time zone', { name: 'published_at', nullable: true })
  publishedAt: Date | null;

  @Column('timestamp with time zone', { name: 'read_at', nullable: true })
  readAt: Date | null;

  @Column('integer', { default: 0 })
  entries: number;

  /** Why the newest attempt failed; null if it did not. */
  @Column('text', { nullable: true })
  fault: string | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventLevel } from '../vocabulary.js';

const primaryKeyConstraintName = 'scan_event_counts_pkey';

/** The number of an organization's events of a level in an hour, by the connection that added them. */
@Entity('scan_event_counts')
export class ScanEventCountEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName })
  organizationId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName })
  hour: Date;

  @PrimaryColumn('text', { primaryKeyConstraintName })
  level: EventLevel;

  /** The process of PostgreSQL that serves the connection; 0 once the counts of an hour are merged. */
  @PrimaryColumn('integer', { primaryKeyConstraintName })
  backend: number;

  @Column('bigint')
  count: string;
}

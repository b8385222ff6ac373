import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The acts of one address, user or organization in a window. */
@Entity('rate_counters')
@Index('rate_counters_end_idx', ['windowEndsAt'])
export class RateCounterEntity {
  /** The rate's name and its subject: `registrations:203.0.113.7`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'rate_counters_pkey' })
  key: string;

  @Column('bigint')
  used: number;

  @Column({ type: 'timestamptz', name: 'window_ends_at', precision: 3 })
  windowEndsAt: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The failed attempts at a secret, per account and address or only per address. */
@Entity('guess_counters')
@Index('guess_counters_updated_idx', ['updatedAt'])
export class LoginAttemptCounterEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'guess_counters_pkey' })
  key: string;

  @Column('integer')
  failures: number;

  @Column({ type: 'timestamptz', name: 'blocked_until', precision: 3, nullable: true })
  blockedUntil: Date | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}

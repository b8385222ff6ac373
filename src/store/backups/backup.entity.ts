import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

import type { BackupOutcome } from './backup-outcome.js';

/** A backup that the service made by itself, or tried to make. */
@Entity('backups')
@Index('backups_newest_idx', { synchronize: false })
@Check(
  'backups_outcome_check',
  `(outcome = ANY (ARRAY['awaited'::text, 'running'::text, 'interrupted'::text, 'kept'::text, 'failed'::text]))`,
)
export class BackupEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'backups_pkey' })
  id: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'begun_at', precision: 3 })
  begunAt: Date;

  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  @Column('text')
  outcome: BackupOutcome;

  /** Of its file, where there is one. */
  @Column('text', { nullable: true })
  name: string | null;

  @Column('bigint', { nullable: true })
  bytes: string | null;

  /** Why there is none. */
  @Column('text', { nullable: true })
  reason: string | null;
}

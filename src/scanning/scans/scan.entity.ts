import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { ScanKind, ScanStatus } from '../vocabulary.js';

/** A scan of a profile (an application, in the interface). */
@Entity('scans')
@Index('scans_newest_idx', { synchronize: false })
@Index('scans_profile_idx', { synchronize: false })
@Index('scans_location_idx', ['locationId'])
@Index('scans_branch_idx', { synchronize: false })
@Index('scans_commit_idx', { synchronize: false })
@Index('scans_changed_idx', ['organizationId', 'changedIn'])
@Check('scans_status_check', `status IN ('STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED')`)
@Check('scans_progress_ratio_check', 'progress_ratio BETWEEN 0 AND 1')
export class ScanEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scans_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'scans_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @ForeignKey('profiles', { name: 'scans_application_id_fkey' })
  @Column('uuid', { name: 'application_id' })
  applicationId: string;

  @Column('text')
  kind: ScanKind;

  @Column('text')
  status: ScanStatus;

  @ForeignKey('locations', { name: 'scans_location_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'location_id', nullable: true })
  locationId: string | null;

  @Column('double precision', { name: 'progress_ratio', default: 0 })
  progressRatio: number;

  @Column('text', { nullable: true })
  branch: string | null;

  @Column('text', { name: 'commit_id', nullable: true })
  commit: string | null;

  @Column('text', { name: 'pull_request', nullable: true })
  pullRequest: string | null;

  @Column('text', { nullable: true })
  tool: string | null;

  @Column('text', { name: 'tool_version', nullable: true })
  toolVersion: string | null;

  @Column('text', { name: 'failure_reason', nullable: true })
  failureReason: string | null;

  /** Whether it scanned another branch than the default one. */
  @Column('boolean', { name: 'branch_only', default: false })
  branchOnly: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;

  /** The transaction that last changed it, as recorded by a trigger. */
  @Column({ type: 'bigint', name: 'changed_in', nullable: true, insert: false, update: false })
  changedIn: string | null;

  /** When that transaction began: the two together name it forever. */
  @Column({ type: 'timestamptz', name: 'changed_at', nullable: true, insert: false, update: false })
  changedAt: Date | null;
}

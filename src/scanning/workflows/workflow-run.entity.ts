import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { WorkflowTriggerType } from '../vocabulary.js';
import type { PayloadRoot } from './payload-roots.js';
import type { RunStatus } from './workflows.dto.js';

export type PayloadVariant = 'default' | 'scoped';

/** The length in bytes of the array of each frozen root; an absent root is an empty array. */
export type RootBytes = Partial<Record<PayloadRoot, number>>;

/** One run of a workflow: its cause, and the payload frozen for its deliveries. */
@Entity('workflow_runs')
@Index('workflow_runs_age_idx', ['createdAt'])
@Index('workflow_runs_newest_idx', { synchronize: false })
@Index('workflow_runs_organization_idx', ['organizationId'])
@Index('workflow_runs_pending_idx', { synchronize: false })
@Check('workflow_runs_shape_check', `shape IN ('default', 'scoped')`)
@Check('workflow_runs_status_check', `status IN ('PENDING', 'SENT', 'SKIPPED', 'FAILED', 'CANCELED')`)
export class WorkflowRunEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workflow_runs_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'workflow_runs_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Null if somebody deleted the workflow. */
  @ForeignKey('workflows', { name: 'workflow_runs_workflow_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'workflow_id', nullable: true })
  workflowId: string | null;

  @Column('text', { name: 'trigger_type' })
  triggerType: WorkflowTriggerType;

  /** The ids of an event's subjects. */
  @Column('jsonb', { default: [] })
  subjects: string[];

  @Column('text')
  status: RunStatus;

  @Column('text', { nullable: true })
  reason: string | null;

  /** The end of the window in which it gathers triggers. */
  @Column({ type: 'timestamptz', name: 'runs_at', precision: 3, default: () => 'now()' })
  runsAt: Date;

  @Column('text', { nullable: true })
  shape: PayloadVariant | null;

  /** Null before the payload is frozen, and once it is removed. */
  @Column('jsonb', { name: 'root_bytes', nullable: true })
  rootBytes: RootBytes | null;

  /** The action whose digest it is. */
  @Column('uuid', { name: 'digest_action_id', nullable: true })
  digestActionId: string | null;

  /** Every change from before this time is in it, or in an earlier run. */
  @Column({ type: 'timestamptz', name: 'seen_until', precision: 3, nullable: true })
  seenUntil: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

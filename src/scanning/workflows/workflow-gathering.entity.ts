import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { WorkflowTriggerType } from '../vocabulary.js';

const primaryKeyConstraintName = 'workflow_gatherings_pkey';

/** The subjects of a run that wait for the digest of an action. */
@Entity('workflow_gatherings')
export class WorkflowGatheringEntity {
  @ForeignKey('workflow_actions', { name: 'workflow_gatherings_action_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'action_id', primaryKeyConstraintName })
  actionId: string;

  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName })
  runId: string;

  @Column('text', { name: 'trigger_type' })
  triggerType: WorkflowTriggerType;

  @Column('jsonb')
  subjects: string[];

  @Column({ type: 'timestamptz', name: 'due_at', precision: 3 })
  dueAt: Date;
}

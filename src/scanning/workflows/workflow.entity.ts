import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { WorkflowTriggerType } from '../vocabulary.js';
import type { StoredAction } from './workflow-action.entity.js';
import type { WorkflowConditions } from './workflows.dto.js';

/** Runs actions after an event that meets its conditions, at times, or by hand. */
@Entity('workflows')
@Index('workflows_newest_idx', { synchronize: false })
@Index('workflows_trigger_idx', { synchronize: false })
export class WorkflowEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workflows_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'workflows_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('text', { name: 'trigger_type' })
  triggerType: WorkflowTriggerType;

  /** Of a schedule. */
  @Column('text', { nullable: true })
  cron: string | null;

  @Column('text', { name: 'time_zone', default: 'UTC' })
  timeZone: string;

  @Column('jsonb', { default: {} })
  conditions: WorkflowConditions;

  @Column('integer', { name: 'throttle_ms', default: 0 })
  throttleMs: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  /** The time that an enabled schedule waits for. */
  @Column({ type: 'timestamptz', name: 'scheduled_for', precision: 3, nullable: true })
  scheduledFor: Date | null;
}

/** A workflow with its actions, in their order. */
export type StoredWorkflow = Omit<WorkflowEntity, 'organizationId'> & { actions: StoredAction[] };

import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EventTriggerType } from '../vocabulary.js';

/** An event that workflows listen to, until its job has turned it into their runs. */
@Entity('workflow_triggers')
@Index('workflow_triggers_organization_idx', ['organizationId'])
export class WorkflowTriggerEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workflow_triggers_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'workflow_triggers_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  type: EventTriggerType;

  /** The ids of the event's subjects. */
  @Column('jsonb')
  subjects: string[];

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

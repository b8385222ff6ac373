import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What does not work of a workflow: an action, or with the workflow's own id, its runs. It goes when that works again. */
@Entity('workflow_troubles')
@Index('workflow_troubles_workflow_idx', ['workflowId'])
export class WorkflowTroubleEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workflow_troubles_pkey' })
  id: string;

  @ForeignKey('workflows', { name: 'workflow_troubles_workflow_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'workflow_id' })
  workflowId: string;

  @Column('text')
  reason: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

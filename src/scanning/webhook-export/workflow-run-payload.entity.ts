import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { PayloadRoot } from '../workflows/payload-roots.js';

const primaryKeyConstraintName = 'workflow_run_payloads_pkey';

/** A chunk of a root of a frozen payload, compressed and sealed. */
@Entity('workflow_run_payloads')
export class WorkflowRunPayloadEntity {
  @ForeignKey('workflow_runs', { name: 'workflow_run_payloads_run_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName })
  runId: string;

  /** The run's: it decides on which server the chunk lies where there are several. */
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName })
  root: PayloadRoot;

  @PrimaryColumn('integer', { primaryKeyConstraintName })
  number: number;

  @Column('bytea')
  sealed: Buffer;
}

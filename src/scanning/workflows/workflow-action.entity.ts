import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Digest } from '../notifications/notification-kinds.js';
import type { ActionKind, ActionType } from './action-kinds.js';
import type { PayloadRoot } from './payload-roots.js';

/** An action of a workflow: it sends the matches to a webhook, or tells people of them. */
@Entity('workflow_actions')
@Index('workflow_actions_workflow_idx', ['workflowId', 'position'])
export class WorkflowActionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workflow_actions_pkey' })
  id: string;

  @ForeignKey('workflows', { name: 'workflow_actions_workflow_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'workflow_id' })
  workflowId: string;

  @Column('integer')
  position: number;

  @Column('text', { default: 'EXPORT' })
  type: ActionType;

  @Column('text', { default: 'WEBHOOK' })
  kind: ActionKind;

  @Column('boolean', { default: true })
  enabled: boolean;

  /** Whether a payload that is too large for one POST goes out in parts. */
  @Column('boolean', { name: 'in_parts', default: false })
  inParts: boolean;

  /** Null where each run has a message of its own. */
  @Column('text', { nullable: true })
  digest: Digest | null;

  /** The reason why the service disabled the action. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  /** The time since which every attempt has failed. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  /** The roots to send; null for all. */
  @Column('text', { array: true, nullable: true })
  resources: PayloadRoot[] | null;

  /** Address, headers and secrets, and of a notification its members or body (`ActionSecrets`). */
  @Column('text', { name: 'parameters_sealed' })
  sealed: string;
}

export type StoredAction = Pick<
  WorkflowActionEntity,
  'id' | 'type' | 'kind' | 'digest' | 'inParts' | 'enabled' | 'disabledReason' | 'resources' | 'sealed'
>;

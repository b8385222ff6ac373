import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DeliveryStatus } from './delivery-statuses.js';

/** A payload on its way to one receiver: of a run of a workflow to that of an action, or of an event to a webhook of the shop. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_action_idx', ['actionId'])
@Index('webhook_deliveries_due_idx', { synchronize: false })
@Index('webhook_deliveries_event_key', { synchronize: false })
@Index('webhook_deliveries_exhausted_idx', { synchronize: false })
@Index('webhook_deliveries_newest_idx', { synchronize: false })
@Index('webhook_deliveries_run_idx', ['runId'])
@Index('webhook_deliveries_status_idx', { synchronize: false })
@Index('webhook_deliveries_webhook_status_idx', { synchronize: false })
@Index('webhook_deliveries_workflow_status_idx', { synchronize: false })
@Check('webhook_deliveries_status_check', `status IN ('PENDING', 'DELIVERED', 'RETRYING', 'EXHAUSTED', 'CANCELED')`)
@Check(
  'webhook_deliveries_user_check',
  `num_nulls(organization_id, run_id) = 0 AND num_nonnulls(webhook_id, event_id) = 0
OR num_nulls(webhook_id, event_id) = 0 AND num_nonnulls(organization_id, run_id) = 0`,
)
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'webhook_deliveries_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** Null if somebody deleted the workflow. */
  @ForeignKey('workflows', { name: 'webhook_deliveries_workflow_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'workflow_id', nullable: true })
  workflowId: string | null;

  /** Null if somebody deleted the action. */
  @ForeignKey('workflow_actions', { name: 'webhook_deliveries_action_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'action_id', nullable: true })
  actionId: string | null;

  @ForeignKey('workflow_runs', { name: 'webhook_deliveries_run_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'run_id', nullable: true })
  runId: string | null;

  @ForeignKey('store_webhooks', { name: 'webhook_deliveries_webhook_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'webhook_id', nullable: true })
  webhookId: string | null;

  @ForeignKey('store_events', { name: 'webhook_deliveries_event_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'event_id', nullable: true })
  eventId: string | null;

  @Column('text', { name: 'url_sealed' })
  urlSealed: string;

  /** The parts of the payload that it sends; null for all. */
  @Column('text', { array: true, nullable: true })
  resources: string[] | null;

  /** The body of a delivery that has one of its own, sealed; null where it sends the payload of its run or event. */
  @Column('text', { name: 'body_sealed', nullable: true })
  bodySealed: string | null;

  /** Which part of a payload it sends, from 1, of how many, and the ranges of bytes; null for the whole. */
  @Column('integer', { nullable: true })
  part: number | null;

  @Column('integer', { nullable: true })
  parts: number | null;

  @Column('jsonb', { name: 'part_ranges', nullable: true })
  partRanges: Record<string, [from: number, to: number]> | null;

  @Column('bigint', { name: 'payload_bytes' })
  payloadBytes: number;

  @Column('text')
  status: DeliveryStatus;

  /** Counts the jobs of the delivery, so that an old one finds itself overtaken. */
  @Column('integer', { name: 'turn', default: 0 })
  sequence: number;

  /** The failed attempts since its creation or replay. */
  @Column('integer', { name: 'series_failures', default: 0 })
  seriesFailures: number;

  /** The worker that makes an attempt. */
  @Column('text', { name: 'claimed_by', nullable: true })
  claimedBy: string | null;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

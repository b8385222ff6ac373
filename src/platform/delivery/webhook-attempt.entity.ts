import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'webhook_attempts_pkey';

/** An attempt of a delivery, numbered from 1. */
@Entity('webhook_attempts')
export class WebhookAttemptEntity {
  @ForeignKey('webhook_deliveries', { name: 'webhook_attempts_delivery_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'delivery_id', primaryKeyConstraintName })
  deliveryId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName })
  number: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;

  /** Null while the attempt is in progress. */
  @Column('integer', { name: 'duration_ms', nullable: true })
  durationMs: number | null;

  @Column('integer', { name: 'status_code', nullable: true })
  statusCode: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { nullable: true })
  response: string | null;
}

/** The outcome of an attempt. */
export type AttemptResult = Pick<WebhookAttemptEntity, 'statusCode' | 'error' | 'response'> & { durationMs: number };

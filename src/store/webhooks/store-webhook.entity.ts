import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { StoreEventType } from '../events/store-event-types.js';

/** A receiver of events of the shop. */
@Entity('store_webhooks')
export class StoreWebhookEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'store_webhooks_pkey' })
  id: string;

  @Column('text', { array: true })
  events: StoreEventType[];

  /** Whether its events have what is personal of customers. */
  @Column('boolean', { name: 'customer_data' })
  customerData: boolean;

  @Column('boolean')
  enabled: boolean;

  /** The reason why the service disabled it. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  /** The time since which every attempt has failed. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  /** Address and secrets (`WebhookSecrets`). */
  @Column('text', { name: 'parameters_sealed' })
  sealed: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

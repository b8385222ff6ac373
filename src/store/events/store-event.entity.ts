import { Column, CreateDateColumn, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { StoreEventType } from './store-event-types.js';

/** Something that happened in the shop, written in the transaction in which it did. */
@Entity('store_events')
@Index('store_events_age_idx', ['createdAt'])
@Index('store_events_seq_key', ['seq'], { unique: true })
@Index('store_events_unnumbered_idx', { synchronize: false })
@Index('store_events_user_idx', { synchronize: false })
export class StoreEventEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'store_events_pkey' })
  id: string;

  /** The order of writing, which tells events of one transaction apart. */
  @Column('bigint')
  @Generated('increment')
  written: number;

  /** Its place in the order of commits; null until it is given one. */
  @Column('bigint', { nullable: true })
  seq: number | null;

  @Column('text')
  type: StoreEventType;

  /** The account that `customer` is about. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** What everybody who gets the event may know. */
  @Column('jsonb')
  data: Record<string, unknown>;

  /** What only those may know who may read customers; null where the account is gone. */
  @Column('jsonb', { nullable: true })
  customer: Record<string, unknown> | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

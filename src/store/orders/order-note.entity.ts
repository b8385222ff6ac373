import { Column, CreateDateColumn, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';
import { OrderEntity } from './order.entity.js';

/** What somebody of the shop noted about an order; its customer does not see it. */
@Entity('order_notes')
@Index('order_notes_order_idx', ['orderId', 'createdAt'])
@Index('order_notes_user_idx', ['userId'])
export class OrderNoteEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'order_notes_pkey' })
  id: string;

  @Column('integer', { name: 'order_id' })
  @ForeignKey(() => OrderEntity, { name: 'order_notes_order_id_fkey', onDelete: 'CASCADE' })
  orderId: number;

  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** Null where no account wrote it. */
  @ManyToOne(() => UserEntity, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'order_notes_user_id_fkey' })
  user: UserEntity | null;

  /** The name of the API key that wrote it, where it was one. */
  @Column('varchar', { name: 'key_name', length: 100, nullable: true })
  keyName: string | null;

  @Column('varchar', { length: 2_000 })
  text: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

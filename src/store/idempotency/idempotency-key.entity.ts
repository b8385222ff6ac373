import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** The response to a request with an Idempotency-Key, kept for 24 hours. */
@Entity('idempotency_keys')
@Index('idempotency_keys_age_idx', ['createdAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  @ForeignKey(() => UserEntity, { name: 'idempotency_keys_user_id_fkey', onDelete: 'CASCADE' })
  userId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  key: string;

  @Column('text', { name: 'request_hash' })
  requestHash: string;

  @Column('json')
  response: object;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

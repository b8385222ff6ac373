import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { KeyScope } from '../../platform/auth/scopes.js';
import { UserEntity } from '../users/user.entity.js';

/** A key by which a program administers the shop. A revoked one keeps its row for a while. */
@Entity('shop_keys')
@Index('shop_keys_newest_idx', { synchronize: false })
@Index('shop_keys_maker_idx', ['createdBy'])
@Unique('shop_keys_key_hash_key', ['keyHash'])
@Check('shop_keys_scopes_check', 'cardinality(scopes) > 0')
export class ShopKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'shop_keys_pkey' })
  id: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('text', { array: true })
  scopes: KeyScope[];

  @Column('text')
  prefix: string;

  @Column('text', { name: 'key_hash' })
  keyHash: string;

  @Column('uuid', { name: 'created_by', nullable: true })
  @ForeignKey(() => UserEntity, { name: 'shop_keys_created_by_fkey', onDelete: 'SET NULL' })
  createdBy: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;
}

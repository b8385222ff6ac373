import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';
import type { ViewedList } from './shop-views.dto.js';

/** A saved filter of a list of the administration: an admin's own, or one of all admins. */
@Entity('shop_views')
@Index('shop_views_shared_name_key', { synchronize: false })
@Index('shop_views_own_name_key', { synchronize: false })
@Index('shop_views_newest_idx', { synchronize: false })
@Index('shop_views_owner_idx', ['ownerId'])
export class ShopViewEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'shop_views_pkey' })
  id: string;

  /** Who made it; null once the account is gone. */
  @ForeignKey(() => UserEntity, { name: 'shop_views_owner_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: string | null;

  @Column('text')
  list: ViewedList;

  @Column('varchar', { length: 100 })
  name: string;

  @Column('boolean')
  shared: boolean;

  @Column('varchar', { length: 2000 })
  query: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

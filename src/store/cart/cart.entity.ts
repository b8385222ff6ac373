import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** The cart of a user; one for each. */
@Entity('carts')
@Unique('carts_user_id_key', ['userId'])
export class CartEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'carts_pkey',
  })
  id: number;

  @Column('uuid', { name: 'user_id' })
  @ForeignKey(() => UserEntity, { name: 'carts_user_id_fkey', onDelete: 'CASCADE' })
  userId: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

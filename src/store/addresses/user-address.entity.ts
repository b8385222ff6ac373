import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** An address to which a customer has things sent. */
@Entity('user_addresses')
@Index('user_addresses_user_idx', ['userId', 'createdAt'])
@Index('user_addresses_default_key', ['userId'], { unique: true, where: 'is_default' })
export class UserAddressEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_addresses_pkey' })
  id: string;

  @Column('uuid', { name: 'user_id' })
  @ForeignKey(() => UserEntity, { name: 'user_addresses_user_id_fkey', onDelete: 'CASCADE' })
  userId: string;

  @Column('varchar', { name: 'first_name', length: 100 })
  firstName: string;

  @Column('varchar', { name: 'last_name', length: 100 })
  lastName: string;

  @Column('varchar', { length: 300 })
  address: string;

  @Column('varchar', { length: 100 })
  city: string;

  @Column('varchar', { name: 'zip_code', length: 20 })
  zipCode: string;

  @Column('varchar', { length: 100 })
  country: string;

  @Column('varchar', { length: 50, nullable: true })
  phone: string | null;

  /** At most one of an account; as long as it has any, one of them is it. */
  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

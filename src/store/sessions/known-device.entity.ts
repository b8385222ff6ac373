import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** A device that somebody signed in on to an account. */
@Entity('known_devices')
export class KnownDeviceEntity {
  @ForeignKey(() => UserEntity, { name: 'known_devices_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'known_devices_pkey' })
  userId: string;

  /** The digest of the device's name and its network. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'known_devices_pkey' })
  digest: string;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt: Date;
}

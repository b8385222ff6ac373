import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../common/auth/caller.js';

/** An account. A deleted one keeps its row, scrubbed, because its orders stay. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** Null in a deleted account alone, as is `email`. */
  @Column('varchar', { nullable: true })
  username: string;

  @Column('varchar', { nullable: true })
  email: string;

  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  @Column('varchar', { name: 'first_name', nullable: true })
  firstName: string | null;

  @Column('varchar', { name: 'last_name', nullable: true })
  lastName: string | null;

  @Column('text', { name: 'avatar_url', nullable: true })
  avatarUrl: string | null;

  @Column('varchar', { nullable: true })
  bio: string | null;

  @Column('text')
  role: Role;

  @Column('numeric', { name: 'account_credit', precision: 12, scale: 2 })
  accountCredit: number;

  @Column('integer', { name: 'referral_count' })
  referralCount: number;

  @Column('boolean', { name: 'can_be_deleted' })
  canBeDeleted: boolean;

  /** Access tokens carry it; raising it ends them all. */
  @Column('integer', { name: 'token_version' })
  tokenVersion: number;

  @Column('boolean', { name: 'totp_enabled' })
  totpEnabled: boolean;

  /** The TOTP secret, encrypted; set by setup, in force once enabled. */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret: string | null;

  /** The time step of the last code that was taken: a code serves once. */
  @Column('bigint', { name: 'totp_last_step' })
  totpLastStep: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}

import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../platform/auth/caller.js';
import type { RoleSource } from './role-source.js';

/** An account. A deleted one keeps its row, scrubbed, because its orders stay. */
@Entity('users')
@Index('users_picture_idx', { synchronize: false })
@Check('users_check', '((deleted_at IS NOT NULL) OR ((username IS NOT NULL) AND (email IS NOT NULL)))')
@Check('users_check1', '((NOT totp_enabled) OR (totp_secret IS NOT NULL))')
@Check('users_role_check', `(role = ANY (ARRAY['user'::text, 'admin'::text]))`)
@Check('users_role_source_check', `(role_source = ANY (ARRAY['default'::text, 'hand'::text, 'groups'::text]))`)
@Index('users_admins_idx', ['id'], { where: `((role = 'admin'::text) AND (deleted_at IS NULL))` })
@Index('users_newest_idx', { synchronize: false })
@Index('users_search_idx', { synchronize: false })
@Index('users_username_key', { synchronize: false })
@Index('users_email_key', { synchronize: false })
@Index('users_former_email_idx', { synchronize: false })
export class UserEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Null only in a deleted account, like `email`. */
  @Column('varchar', { length: 50, nullable: true })
  username: string | null;

  @Column('varchar', { length: 254, nullable: true })
  email: string | null;

  /** Whether somebody followed a link that was mailed to it. */
  @Column('boolean', { name: 'email_verified', default: false })
  emailVerified: boolean;

  /** The confirmed address from before: mails go there until the one that replaced it is confirmed. */
  @Column('varchar', { name: 'former_email', length: 254, nullable: true })
  formerEmail: string | null;

  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  @Column('varchar', { name: 'first_name', length: 100, nullable: true })
  firstName: string | null;

  @Column('varchar', { name: 'last_name', length: 100, nullable: true })
  lastName: string | null;

  @Column('text', { name: 'avatar_url', nullable: true })
  avatarUrl: string | null;

  @Column('varchar', { length: 2_000, nullable: true })
  bio: string | null;

  @Column('text', { default: 'user' })
  role: Role;

  /** What gave the role: nothing, an admin, or a group at the provider of OpenID Connect. */
  @Column('text', { name: 'role_source', default: 'default' })
  roleSource: RoleSource;

  @Column('numeric', { name: 'account_credit', precision: 12, scale: 2, default: 0 })
  accountCredit: number;

  @Column('integer', { name: 'referral_count', default: 0 })
  referralCount: number;

  @Column('boolean', { name: 'can_be_deleted', default: true })
  canBeDeleted: boolean;

  /** Access tokens carry it; raising it ends them all. */
  @Column('integer', { name: 'token_version', default: 0 })
  tokenVersion: number;

  @Column('boolean', { name: 'totp_enabled', default: false })
  totpEnabled: boolean;

  /** Encrypted; set by setup, in force once enabled. */
  @Column('text', { name: 'totp_secret', nullable: true })
  totpSecret: string | null;

  /** The time step of the last accepted code: a code is valid once. */
  @Column('bigint', { name: 'totp_last_step', default: 0 })
  totpLastStep: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** Its owner cannot sign in since then; an admin lifts it. */
  @Column({ type: 'timestamptz', name: 'suspended_at', precision: 3, nullable: true })
  suspendedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** A login on a device: a family of refresh tokens, of which one is current. The row holds no usable token. */
@Entity('sessions')
@Index('sessions_user_idx', { synchronize: false })
@Index('sessions_expiry_idx', ['expiresAt'])
export class SessionEntity {
  /** Of version 7; access tokens carry it as `sid`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' })
  id: string;

  @ForeignKey(() => UserEntity, { name: 'sessions_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** The version of the account's tokens; a later one ends the session. */
  @Column('integer', { name: 'token_version' })
  tokenVersion: number;

  /** The digest of the current refresh token. */
  @Column('text', { name: 'token_hash' })
  tokenHash: string;

  /** The digest of the refresh token before. */
  @Column('text', { name: 'previous_hash', nullable: true })
  previousHash: string | null;

  /** The current refresh token, sealed under a key that only its predecessor yields. */
  @Column('text', { nullable: true })
  successor: string | null;

  @Column({ type: 'timestamptz', name: 'rotated_at', precision: 3, nullable: true })
  rotatedAt: Date | null;

  /** In words, such as Firefox on Linux. */
  @Column('text')
  device: string;

  /** The address of the last use. */
  @Column('text')
  address: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** When its user last proved who they are: at the login, or since. */
  @Column({ type: 'timestamptz', name: 'authenticated_at', precision: 3, default: () => 'now()' })
  authenticatedAt: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, default: () => 'now()' })
  lastUsedAt: Date;

  /** Each use extends it; for an ended session, the time at which the last of its access tokens expires. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** The latest that `expiresAt` may become. */
  @Column({ type: 'timestamptz', name: 'latest_end', precision: 3 })
  latestEnd: Date;

  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  /** Whether the provider that it began with vouches for two factors. */
  @Column('boolean', { name: 'multi_factor', default: false })
  multiFactor: boolean;
}

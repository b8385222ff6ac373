import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** What a sign-in with the provider is for. */
export const loginPurposes = ['sign-in', 'fresh', 'link', 'device'] as const;
export type LoginPurpose = (typeof loginPurposes)[number];

/** A sign-in with the provider that has begun. State, nonce and the verifier of PKCE derive from its token. */
@Entity('oidc_logins')
@Index('oidc_logins_expiry_idx', ['expiresAt'])
@Index('oidc_logins_user_idx', ['userId'])
export class OidcLoginEntity {
  /** The digest of the token. */
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'oidc_logins_pkey' })
  tokenHash: string;

  @Column('text')
  purpose: LoginPurpose;

  /** The account to be linked. */
  @ForeignKey(() => UserEntity, { name: 'oidc_logins_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** The provider's code of a device, sealed under the token. */
  @Column('text', { name: 'device_code', nullable: true })
  deviceCode: string | null;

  /** The least seconds between two questions for a device, and when the next one may be asked. */
  @Column('integer', { name: 'poll_seconds', nullable: true })
  pollSeconds: number | null;

  @Column({ type: 'timestamptz', name: 'next_poll_at', precision: 3, nullable: true })
  nextPollAt: Date | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

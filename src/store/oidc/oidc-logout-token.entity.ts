import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A logout token that was taken, so that it is not taken a second time. */
@Entity('oidc_logout_tokens')
@Index('oidc_logout_tokens_expiry_idx', ['expiresAt'])
export class OidcLogoutTokenEntity {
  /** The digest of its issuer and its id. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oidc_logout_tokens_pkey' })
  digest: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** A user at a provider of OpenID Connect, and the account that they sign in to. */
@Entity('oidc_identities')
@Index('oidc_identities_subject_key', ['issuer', 'subject'], { unique: true })
@Index('oidc_identities_user_key', ['userId', 'issuer'], { unique: true })
export class OidcIdentityEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oidc_identities_pkey' })
  id: string;

  @ForeignKey(() => UserEntity, { name: 'oidc_identities_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('varchar', { length: 500 })
  issuer: string;

  /** The provider's own id of the user. */
  @Column('varchar', { length: 255 })
  subject: string;

  /** How the provider calls the user. */
  @Column('varchar', { length: 255, nullable: true })
  name: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, default: () => 'now()' })
  lastUsedAt: Date;
}

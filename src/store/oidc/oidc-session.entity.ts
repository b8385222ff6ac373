import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SessionEntity } from '../sessions/session.entity.js';
import { OidcIdentityEntity } from './oidc-identity.entity.js';

/** A session that began with the provider, which ends it by the user or by its own session. */
@Entity('oidc_sessions')
@Index('oidc_sessions_identity_idx', ['identityId'])
@Index('oidc_sessions_sid_idx', ['sid'])
export class OidcSessionEntity {
  @ForeignKey(() => SessionEntity, { name: 'oidc_sessions_session_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'oidc_sessions_pkey' })
  sessionId: string;

  @ForeignKey(() => OidcIdentityEntity, { name: 'oidc_sessions_identity_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'identity_id' })
  identityId: string;

  /** The provider's session, if it tells. */
  @Column('varchar', { length: 255, nullable: true })
  sid: string | null;
}

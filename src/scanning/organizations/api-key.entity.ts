import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { KeyRole } from '../../platform/auth/organization-caller.js';

/** An API key of an organization. A revoked one keeps its row for a while. */
@Entity('api_keys')
@Index('api_keys_newest_idx', { synchronize: false })
@Index('api_keys_maker_idx', ['createdBy'])
@Unique('api_keys_key_hash_key', ['keyHash'])
@Check('api_keys_role_check', `role IN ('admin', 'member', 'importer', 'viewer')`)
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'api_keys_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('text')
  role: KeyRole;

  @Column('text')
  prefix: string;

  @Column('text', { name: 'key_hash' })
  keyHash: string;

  @ForeignKey('users', { name: 'api_keys_created_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;
}

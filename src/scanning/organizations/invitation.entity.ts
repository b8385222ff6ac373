import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { OrganizationRole } from '../../platform/auth/organization-caller.js';

/** An invitation that waits for an answer: of an account, or of whoever can prove that an e-mail address is theirs. */
@Entity('organization_invitations')
@Index('organization_invitations_newest_idx', { synchronize: false })
@Index('organization_invitations_invited_key', { synchronize: false })
@Index('organization_invitations_email_idx', { synchronize: false })
@Index('organization_invitations_user_idx', ['userId'])
@Index('organization_invitations_inviter_idx', ['invitedBy'])
@Index('organization_invitations_expiry_idx', ['expiresAt'])
@Check('organization_invitations_role_check', `role IN ('admin', 'member', 'viewer')`)
@Check('organization_invitations_invited_check', '(user_id IS NULL) <> (email IS NULL)')
export class OrganizationInvitationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organization_invitations_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'organization_invitations_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @ForeignKey('users', { name: 'organization_invitations_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('varchar', { length: 254, nullable: true })
  email: string | null;

  @Column('text')
  role: OrganizationRole;

  @ForeignKey('users', { name: 'organization_invitations_invited_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'invited_by', nullable: true })
  invitedBy: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { OrganizationRole } from '../../platform/auth/organization-caller.js';

/** A user with their role in an organization. */
@Entity('organization_members')
@Index('organization_members_newest_idx', { synchronize: false })
@Index('organization_members_user_idx', ['userId'])
@Check('organization_members_role_check', `role IN ('admin', 'member', 'viewer')`)
export class OrganizationMemberEntity {
  @ForeignKey('organizations', { name: 'organization_members_organization_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'organization_members_pkey' })
  organizationId: string;

  @ForeignKey('users', { name: 'organization_members_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'organization_members_pkey' })
  userId: string;

  @Column('text')
  role: OrganizationRole;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

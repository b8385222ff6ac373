import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationMemberEntity } from '../organizations/organization-member.entity.js';

/** Who gets the new issues of assets with a tag. Goes when the user leaves the organization. */
@Entity('issue_default_assignees')
@Index('issue_default_assignees_tag_idx', ['tagId'])
@Index('issue_default_assignees_member_idx', ['organizationId', 'userId'])
@ForeignKey(() => OrganizationMemberEntity, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'issue_default_assignees_member_fkey',
  onDelete: 'CASCADE',
})
export class IssueDefaultAssigneeEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'issue_default_assignees_pkey' })
  organizationId: string;

  @ForeignKey('tags', { name: 'issue_default_assignees_tag_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'tag_id', primaryKeyConstraintName: 'issue_default_assignees_pkey' })
  tagId: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** Of several tags of an asset, the one with the least position decides. */
  @Column('integer')
  position: number;
}

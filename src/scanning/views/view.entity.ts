import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { IssueConditions, IssueSort } from '../issues/issue-filter.dto.js';

/** A saved filter of issues: a user's own, or the organization's. */
@Entity('issue_views')
@Index('issue_views_shared_name_key', { synchronize: false })
@Index('issue_views_own_name_key', { synchronize: false })
@Index('issue_views_newest_idx', { synchronize: false })
@Index('issue_views_owner_idx', ['ownerId'])
export class ViewEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'issue_views_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'issue_views_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Who made it; null for an API key, and for somebody who left. */
  @ForeignKey('users', { name: 'issue_views_owner_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: string | null;

  @Column('varchar', { length: 100 })
  name: string;

  @Column('boolean')
  shared: boolean;

  @Column('jsonb')
  filter: IssueConditions;

  @Column('text')
  sort: IssueSort;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ActivityKind, ActorKind } from './issues.dto.js';

/** An event in the history of an issue. */
@Entity('issue_activities')
@Index('issue_activities_newest_idx', { synchronize: false })
@Index('issue_activities_actor_idx', ['actorUserId'])
@Index('issue_activities_changes_idx', { synchronize: false })
@Check(
  'issue_activities_kind_check',
  `kind IN ('STATUS', 'SEVERITY', 'COMMENT', 'CONTEXT', 'TARGETS', 'ASSIGNEE', 'DUE_DATE', 'ACCEPTANCE', 'LINK')`,
)
@Check('issue_activities_actor_kind_check', `actor_kind IN ('USER', 'API_KEY', 'SYSTEM')`)
export class IssueActivityEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'issue_activities_pkey' })
  id: string;

  @Column('uuid', { name: 'issue_id' })
  issueId: string;

  @Column('text')
  kind: ActivityKind;

  @Column('text', { name: 'from_value', nullable: true })
  fromValue: string | null;

  @Column('text', { name: 'to_value', nullable: true })
  toValue: string | null;

  @Column('text', { nullable: true })
  comment: string | null;

  @Column('text', { name: 'actor_kind' })
  actorKind: ActorKind;

  @ForeignKey('users', { name: 'issue_activities_actor_user_id_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'actor_user_id', nullable: true })
  actorUserId: string | null;

  @Column('text', { name: 'actor_key_name', nullable: true })
  actorKeyName: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The issue's. */
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;
}

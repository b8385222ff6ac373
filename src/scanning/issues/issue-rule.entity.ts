import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { FindingRule } from './finding-detail.js';

/** A rule of a tool as a report described it, once for all issues that name it. */
@Entity('issue_rules')
export class IssueRuleEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'issue_rules_pkey' })
  @ForeignKey('organizations', { name: 'issue_rules_organization_id_fkey', onDelete: 'CASCADE' })
  organizationId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'issue_rules_pkey' })
  digest: string;

  @Column('jsonb')
  rule: FindingRule;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FindingDetail } from './finding-detail.js';

/** What the newest report that found an issue says of it; issues that no report had have none. */
@Entity('issue_details')
export class IssueDetailEntity {
  @PrimaryColumn('uuid', { name: 'issue_id', primaryKeyConstraintName: 'issue_details_pkey' })
  issueId: string;

  @Column('text', { name: 'rule_digest', nullable: true })
  ruleDigest: string | null;

  @Column('jsonb')
  detail: FindingDetail;
}

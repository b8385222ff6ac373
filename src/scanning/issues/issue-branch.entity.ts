import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A branch on which scans found an issue. */
@Entity('issue_branches')
@Index('issue_branches_branch_idx', ['branchId', 'issueId'])
export class IssueBranchEntity {
  @PrimaryColumn('uuid', { name: 'issue_id', primaryKeyConstraintName: 'issue_branches_pkey' })
  issueId: string;

  @PrimaryColumn('uuid', { name: 'branch_id', primaryKeyConstraintName: 'issue_branches_pkey' })
  branchId: string;

  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3 })
  lastSeenAt: Date;

  /** Whether the newest report of some tool still has it. */
  @Column('boolean')
  present: boolean;
}

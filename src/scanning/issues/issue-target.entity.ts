import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A place where scans found an issue. Its uid is unique in the issue. */
@Entity('issue_targets')
@Index('issue_targets_uid_key', { synchronize: false })
@Index('issue_targets_scan_idx', ['scanId'])
export class IssueTargetEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'issue_targets_pkey' })
  id: string;

  @Column('uuid', { name: 'issue_id' })
  issueId: string;

  @Column('text', { name: 'target_uid' })
  targetUid: string;

  /** The newest scan that found it. */
  @Column('uuid', { name: 'scan_id', nullable: true })
  scanId: string | null;

  /** The applicable detail, by kind. */
  @Column('jsonb')
  detail: Record<string, object>;
}

import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A scan that found an issue. */
@Entity('issue_scans')
@Index('issue_scans_of_scan_idx', ['scanId', 'issueId'])
export class IssueScanEntity {
  @PrimaryColumn('uuid', { name: 'issue_id', primaryKeyConstraintName: 'issue_scans_pkey' })
  issueId: string;

  @PrimaryColumn('uuid', { name: 'scan_id', primaryKeyConstraintName: 'issue_scans_pkey' })
  scanId: string;
}

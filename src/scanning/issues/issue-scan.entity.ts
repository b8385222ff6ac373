import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A scan that found an issue. */
@Entity('issue_scans')
@Index('issue_scans_scan_idx', ['scanId'])
export class IssueScanEntity {
  @ForeignKey('issues', { name: 'issue_scans_issue_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'issue_id', primaryKeyConstraintName: 'issue_scans_pkey' })
  issueId: string;

  @ForeignKey('scans', { name: 'issue_scans_scan_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'scan_id', primaryKeyConstraintName: 'issue_scans_pkey' })
  scanId: string;
}

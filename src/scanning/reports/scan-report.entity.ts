import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The report that a scan was made of. An empty text stands for a name that neither the caller nor the report gave. */
@Entity('scan_reports')
@Index('scan_reports_scope_idx', ['organizationId', 'scope', 'scanId'])
export class ScanReportEntity {
  @PrimaryColumn('uuid', { name: 'scan_id', primaryKeyConstraintName: 'scan_reports_pkey' })
  @ForeignKey('scans', { name: 'scan_reports_scan_id_fkey', onDelete: 'CASCADE' })
  scanId: string;

  @ForeignKey('organizations', { name: 'scan_reports_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** A digest of tool, category and branch: reports of one scope follow each other. */
  @Column('text')
  scope: string;

  @Column('text')
  tool: string;

  /** Parts several runs of one tool, such as CodeQL's languages: of the caller, else of the report (SARIF 2.1.0, section 3.17.3). */
  @Column('text')
  category: string;

  @Column('text')
  branch: string;

  @Column('text', { name: 'commit_id' })
  commitId: string;

  /** The time of the commit, if the caller gave it. */
  @Column({ type: 'timestamptz', name: 'committed_at', precision: 3, nullable: true })
  committedAt: Date | null;

  /** Whether all of its findings could be read, so that what it lacks is gone. */
  @Column('boolean', { name: 'is_whole' })
  isWhole: boolean;
}

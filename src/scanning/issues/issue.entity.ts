import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { IssueCategory, IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { SetAside } from './finding-rows.js';
import type { Person } from './issues.dto.js';

/** An issue: the results of scans, and people's verdicts on them. */
@Entity('issues')
@Index('issues_identity_key', ['organizationId', 'identity'], { unique: true })
@Index('issues_newest_idx', { synchronize: false })
@Index('issues_asset_idx', { synchronize: false })
@Index('issues_scan_idx', ['scanId'])
@Index('issues_counts_idx', ['organizationId', 'severity', 'status', 'category'])
@Index('issues_open_of_asset_idx', { synchronize: false })
@Check('issues_severity_check', `severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')`)
@Check('issues_status_check', `status IN ('OPEN', 'RESOLVED', 'MANUAL_REVIEW', 'IGNORED', 'FALSE_POSITIVE')`)
@Check('issues_severity_set_by_check', `severity_set_by IN ('USER', 'API_KEY')`)
@Check('issues_tool_severity_check', `tool_severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')`)
@Check('issues_status_set_by_check', `status_set_by IN ('USER', 'API_KEY')`)
@Check('issues_set_aside_check', `set_aside IN ('IGNORED', 'FALSE_POSITIVE')`)
export class IssueEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'issues_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'asset_id' })
  assetId: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'full_name' })
  fullName: string;

  @Column('text')
  severity: IssueSeverity;

  @Column('text')
  category: IssueCategory;

  @Column('text')
  status: IssueStatus;

  @Column('text', { default: '' })
  context: string;

  @Column('text', { name: 'alert_uid' })
  alertUid: string;

  @Column('text', { name: 'security_test_uid' })
  securityTestUid: string;

  /** Recognizes the same finding in a later scan as the same issue. */
  @Column('text')
  identity: string;

  /** The newest scan that found it. */
  @Column('uuid', { name: 'scan_id', nullable: true })
  scanId: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column('text', { name: 'severity_set_by', nullable: true })
  severitySetBy: Person | null;

  /** The newest scan's severity, while a person's holds. */
  @Column('text', { name: 'tool_severity', nullable: true })
  toolSeverity: IssueSeverity | null;

  @Column('text', { name: 'status_set_by', nullable: true })
  statusSetBy: Person | null;

  /** The status by which the newest scan itself sets the issue aside. */
  @Column('text', { name: 'set_aside', nullable: true })
  setAside: SetAside | null;
}

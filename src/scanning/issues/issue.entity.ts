import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { IssueCategory, IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { SetAside } from './finding-rows.js';
import type { Person } from './issues.dto.js';

/** An issue: the results of scans, and people's verdicts on them. */
@Entity('issues')
@Index('issues_identity_key', ['organizationId', 'identity'], { unique: true })
@Index('issues_newest_idx', { synchronize: false })
@Index('issues_epss_order_idx', { synchronize: false })
@Index('issues_kev_idx', { synchronize: false })
@Index('issues_asset_idx', { synchronize: false })
@Index('issues_scan_idx', ['scanId'])
@Index('issues_counts_idx', ['organizationId', 'severity', 'status', 'category'])
@Index('issues_open_of_asset_idx', { synchronize: false })
@Index('issues_of_default_newest_idx', { synchronize: false })
@Index('issues_of_default_counts_idx', { synchronize: false })
@Index('issues_severity_order_idx', { synchronize: false })
@Index('issues_last_seen_idx', { synchronize: false })
@Index('issues_due_idx', { synchronize: false })
@Index('issues_rule_idx', { synchronize: false })
@Index('issues_assignee_idx', { synchronize: false })
@Index('issues_accepted_until_idx', { synchronize: false })
@Index('issues_accepted_by_idx', { synchronize: false })
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

  /** The highest EPSS of its vulnerabilities; null if the feed has none of them. */
  @Column('double precision', { nullable: true })
  epss: number | null;

  /** Whether one of its vulnerabilities is known to be exploited. */
  @Column('boolean', { default: false })
  kev: boolean;

  /** The status by which the newest scan itself sets the issue aside. */
  @Column('text', { name: 'set_aside', nullable: true })
  setAside: SetAside | null;

  /** Whether only other branches than the default one have it. */
  @Column('boolean', { name: 'branch_only', default: false })
  branchOnly: boolean;

  /** A member of the organization, who is to fix it. */
  /**
   * No foreign key: an account that is deleted stays as a row, so that it would never act. `IssueUpkeepService` empties this and
   * `acceptedBy` some issues at a time, and answers leave out whoever is gone.
   */
  @Column('uuid', { name: 'assignee_id', nullable: true })
  assigneeId: string | null;

  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, nullable: true })
  dueAt: Date | null;

  /** The end of an IGNORED issue's acceptance; null if it has none. */
  @Column({ type: 'timestamptz', name: 'accepted_until', precision: 3, nullable: true })
  acceptedUntil: Date | null;

  @Column('text', { name: 'accepted_reason', nullable: true })
  acceptedReason: string | null;

  /** The user who accepted it. */
  @Column('uuid', { name: 'accepted_by', nullable: true })
  acceptedBy: string | null;

  /** The name of the API key that accepted it. */
  @Column('text', { name: 'accepted_by_key', nullable: true })
  acceptedByKey: string | null;

  @Column('text', { name: 'external_url', nullable: true })
  externalUrl: string | null;

  /** Null for issues that no scan has found since this is kept. */
  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3, nullable: true })
  lastSeenAt: Date | null;

  /** Of the report that found it last. */
  @Column('text', { nullable: true })
  tool: string | null;
}

import { Check, Column, Entity, ForeignKey, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** How an organization wants its issues handled: the days to fix them by severity, null for no due date. */
@Entity('issue_policies')
@Check('issue_policies_critical_days_check', 'critical_days BETWEEN 0 AND 3650')
@Check('issue_policies_high_days_check', 'high_days BETWEEN 0 AND 3650')
@Check('issue_policies_medium_days_check', 'medium_days BETWEEN 0 AND 3650')
@Check('issue_policies_low_days_check', 'low_days BETWEEN 0 AND 3650')
@Check('issue_policies_info_days_check', 'info_days BETWEEN 0 AND 3650')
export class IssuePolicyEntity {
  @ForeignKey('organizations', { name: 'issue_policies_organization_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'issue_policies_pkey' })
  organizationId: string;

  @Column('integer', { name: 'critical_days', nullable: true })
  criticalDays: number | null;

  @Column('integer', { name: 'high_days', nullable: true })
  highDays: number | null;

  @Column('integer', { name: 'medium_days', nullable: true })
  mediumDays: number | null;

  @Column('integer', { name: 'low_days', nullable: true })
  lowDays: number | null;

  @Column('integer', { name: 'info_days', nullable: true })
  infoDays: number | null;

  /** Whether IGNORED needs a reason. */
  @Column('boolean', { name: 'reason_required', default: false })
  reasonRequired: boolean;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A branch of an asset, as scans name it. */
@Entity('branches')
@Index('branches_name_key', ['assetId', 'name'], { unique: true })
@Index('branches_default_key', { synchronize: false })
@Index('branches_newest_idx', { synchronize: false })
@Index('branches_of_name_idx', ['organizationId', 'name'])
@Index('branches_silent_idx', { synchronize: false })
@Index('branches_closed_idx', { synchronize: false })
export class BranchEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'branches_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'branches_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @ForeignKey('assets', { name: 'branches_asset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'asset_id' })
  assetId: string;

  @Column('text')
  name: string;

  /** The number or key of the pull request that it is of; null for others. */
  @Column('text', { name: 'pull_request', nullable: true })
  pullRequest: string | null;

  @Column('boolean', { name: 'is_default', default: false })
  isDefault: boolean;

  /** Whether a caller named it as the default; otherwise its name is a usual one. */
  @Column('boolean', { name: 'default_named', default: false })
  defaultNamed: boolean;

  /** Whether what it has is the organization's: the default branch, or, while there is none, all but those of pull requests. */
  @Column('boolean', { default: false })
  decides: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When it was first named, or named again after it was closed: reports from before say nothing of it. */
  @CreateDateColumn({ type: 'timestamptz', name: 'opened_at', precision: 3 })
  openedAt: Date;

  /** Null for a default branch that was only named. */
  @Column({ type: 'timestamptz', name: 'last_scanned_at', precision: 3, nullable: true })
  lastScannedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt: Date | null;
}

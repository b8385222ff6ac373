import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ImportedIssue } from './reports.dto.js';

/** Some of the issues of an import, by their outcome, kept for 24 hours. */
@Entity('import_pages')
@Index('import_pages_age_idx', ['createdAt'])
export class ImportPageEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'import_pages_pkey' })
  @ForeignKey('organizations', { name: 'import_pages_organization_id_fkey', onDelete: 'CASCADE' })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName: 'import_pages_pkey' })
  importId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'import_pages_pkey' })
  page: number;

  @Column('json')
  issues: ImportedIssue[];

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

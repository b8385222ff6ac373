import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ImportResult } from './reports.dto.js';

/** The answer to an import with an Idempotency-Key, kept for 24 hours. */
@Entity('import_keys')
@Index('import_keys_age_idx', ['createdAt'])
export class ImportKeyEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'import_keys_pkey' })
  @ForeignKey('organizations', { name: 'import_keys_organization_id_fkey', onDelete: 'CASCADE' })
  organizationId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_keys_pkey' })
  key: string;

  @Column('text', { name: 'request_hash' })
  requestHash: string;

  @Column('json')
  response: ImportResult;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

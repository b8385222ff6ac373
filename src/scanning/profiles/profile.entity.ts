import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { ProfileType, ScanKind } from '../vocabulary.js';

/** The target of scans, and the kind of scanner for it. */
@Entity('profiles')
@Index('profiles_newest_idx', { synchronize: false })
export class ProfileEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'profiles_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'profiles_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('text', { name: 'scanner_kind' })
  scannerKind: ScanKind;

  @Column('text')
  type: ProfileType;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

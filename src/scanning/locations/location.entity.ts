import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { LocationType } from '../vocabulary.js';

/** A place that scans run from. */
@Entity('locations')
@Index('locations_newest_idx', { synchronize: false })
@Check('locations_type_check', `type IN ('PLATFORM', 'PRIVATE')`)
export class LocationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'locations_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'locations_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('text')
  type: LocationType;

  @Column('text')
  target: string;

  @Column('text', { nullable: true })
  ip: string | null;

  @Column('text', { nullable: true })
  region: string | null;

  @Column('boolean', { default: true })
  enabled: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

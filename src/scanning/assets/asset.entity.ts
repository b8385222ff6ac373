import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AssetClass, AssetType } from '../vocabulary.js';
import type { AssetFrontend, AssetHost, AssetRepository, AssetSchema, AssetService } from './asset-details.dto.js';

/** An asset that scanners look at, with the detail of its class. Its uri is unique in the organization. */
@Entity('assets')
@Index('assets_uri_key', { synchronize: false })
@Index('assets_newest_idx', { synchronize: false })
@Index('assets_class_idx', { synchronize: false })
@Index('assets_type_idx', { synchronize: false })
@Index('assets_text_idx', { synchronize: false })
export class AssetEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'assets_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'assets_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('text')
  type: AssetType;

  @Column('text')
  class: AssetClass;

  @Column('text')
  uri: string;

  @Column('jsonb', { nullable: true })
  service: AssetService | null;

  @Column('jsonb', { nullable: true })
  frontend: AssetFrontend | null;

  @Column('jsonb', { nullable: true })
  host: AssetHost | null;

  @Column('jsonb', { nullable: true })
  repository: AssetRepository | null;

  @Column('jsonb', { nullable: true })
  schema: AssetSchema | null;

  /** Where its code is read in a browser. */
  @Column('text', { name: 'source_url', nullable: true })
  sourceUrl: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

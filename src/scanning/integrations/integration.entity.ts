import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { IntegrationKind } from '../vocabulary.js';

/** An integration with another service. */
@Entity('integrations')
@Index('integrations_newest_idx', { synchronize: false })
export class IntegrationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'integrations_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'integrations_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('text')
  kind: IntegrationKind;

  @Column('boolean', { default: true })
  valid: boolean;

  /** See `IntegrationSecrets`. */
  @Column('text', { name: 'parameters_sealed' })
  parametersSealed: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

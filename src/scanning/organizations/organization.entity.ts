import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An organization, to which everything in the scanning wing belongs. */
@Entity('organizations')
@Index('organizations_maker_idx', ['createdBy'])
export class OrganizationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organizations_pkey' })
  id: string;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('boolean', { name: 'scoped_webhook_export_payload', default: false })
  scopedWebhookExportPayload: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @ForeignKey('users', { name: 'organizations_created_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;
}

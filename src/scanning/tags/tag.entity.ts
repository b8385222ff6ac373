import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A label that assets bear. Its name is unique in the organization, without case. */
@Entity('tags')
@Index('tags_name_key', { synchronize: false })
@Index('tags_newest_idx', { synchronize: false })
export class TagEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tags_pkey' })
  id: string;

  @ForeignKey('organizations', { name: 'tags_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('varchar', { length: 100 })
  name: string;

  @Column('varchar', { length: 32, nullable: true })
  color: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

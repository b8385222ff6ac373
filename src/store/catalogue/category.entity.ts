import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A category of products; one below another has no others below itself. */
@Entity('categories')
@Unique('categories_slug_key', ['slug'])
@Index('categories_parent_idx', ['parentId'])
@Index('categories_picture_idx', { synchronize: false })
export class CategoryEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'categories_pkey',
  })
  id: number;

  @Column('varchar', { length: 80 })
  slug: string;

  @Column('varchar', { length: 100 })
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { name: 'image_url', nullable: true })
  imageUrl: string | null;

  @Column('integer', { name: 'parent_id', nullable: true })
  @ForeignKey(() => CategoryEntity, { name: 'categories_parent_id_fkey' })
  parentId: number | null;

  /** The place among its siblings, from the least. */
  @Column('integer', { default: 0 })
  position: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ProductEntity } from './product.entity.js';

/** A slug that a product has or had. */
@Entity('product_slugs')
@Index('product_slugs_product_idx', ['productId', 'createdAt'])
export class ProductSlugEntity {
  @PrimaryColumn('varchar', { length: 120, primaryKeyConstraintName: 'product_slugs_pkey' })
  slug: string;

  @Column('integer', { name: 'product_id' })
  @ForeignKey(() => ProductEntity, {
    name: 'product_slugs_product_id_fkey',
    onDelete: 'CASCADE',
    deferrable: 'INITIALLY DEFERRED',
  })
  productId: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

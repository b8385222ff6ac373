import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ProductEntity } from './product.entity.js';

/** The text of a product that is not deleted that searches compare. The triggers of `products` write it. */
@Entity('product_search')
@Index('product_search_name_idx', ['nameKey', 'productId'])
@Index('product_search_text_idx', { synchronize: false })
export class ProductSearchEntity {
  @PrimaryColumn('integer', { name: 'product_id', primaryKeyConstraintName: 'product_search_pkey' })
  @ForeignKey(() => ProductEntity, { name: 'product_search_product_id_fkey', onDelete: 'CASCADE' })
  productId: number;

  @Column('text', { name: 'name_key' })
  nameKey: string;

  @Column('text', { name: 'text_key' })
  textKey: string;

  /** Whether the shop shows it: drafts are found by admins alone. */
  @Column('boolean', { name: 'is_public', default: true })
  isPublic: boolean;
}

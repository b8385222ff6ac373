import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CategoryEntity } from './category.entity.js';
import { ProductEntity } from './product.entity.js';

/** A product in a category. */
@Entity('product_categories')
@Index('product_categories_category_idx', ['categoryId', 'productId'])
export class ProductCategoryEntity {
  @PrimaryColumn('integer', { name: 'product_id', primaryKeyConstraintName: 'product_categories_pkey' })
  @ForeignKey(() => ProductEntity, { name: 'product_categories_product_id_fkey', onDelete: 'CASCADE' })
  productId: number;

  @PrimaryColumn('integer', { name: 'category_id', primaryKeyConstraintName: 'product_categories_pkey' })
  @ForeignKey(() => CategoryEntity, { name: 'product_categories_category_id_fkey', onDelete: 'CASCADE' })
  categoryId: number;
}

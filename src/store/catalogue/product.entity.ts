import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export const productStatuses = ['draft', 'published'] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** A product. A deleted one keeps its row, for the orders that show it. */
@Entity('products')
@Index('products_picture_idx', { synchronize: false })
@Check('products_price_check', 'price >= 0')
@Check('products_stock_check', 'stock >= 0')
@Index('products_listed_idx', ['id'], { where: 'deleted_at IS NULL' })
@Index('products_low_stock_idx', ['stock'], { where: 'deleted_at IS NULL' })
@Index('products_price_idx', ['price', 'id'], { where: 'deleted_at IS NULL' })
@Index('products_name_idx', { synchronize: false })
@Index('products_color_name_idx', { synchronize: false })
@Check('products_status_check', "status IN ('draft', 'published')")
@Index('products_sku_key', ['sku'], { unique: true, where: 'sku IS NOT NULL AND deleted_at IS NULL' })
export class ProductEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'products_pkey',
  })
  id: number;

  @Column('varchar', { length: 200 })
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** In the shop's currency, with two decimals. */
  @Column('numeric', { precision: 12, scale: 2 })
  price: number;

  @Column('integer')
  stock: number;

  @Column('text', { nullable: true })
  color: string | null;

  @Column('text', { nullable: true })
  material: string | null;

  @Column('text', { nullable: true })
  size: string | null;

  @Column('text', { name: 'image_url', nullable: true })
  imageUrl: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** Joins the variants of one thing. */
  @Column('uuid', { name: 'group_id', nullable: true })
  groupId: string | null;

  /** Made by a trigger. `product_slugs` has it too, with those of before. */
  @Column('text', { nullable: true })
  slug: string | null;

  @Column('varchar', { length: 64, nullable: true })
  sku: string | null;

  @Column('text', { default: 'published' })
  status: ProductStatus;

  /** Kept by triggers of `reviews`, as the sum is. */
  @Column('integer', { name: 'review_count', default: 0 })
  reviewCount: number;

  @Column('integer', { name: 'rating_sum', default: 0 })
  ratingSum: number;
}

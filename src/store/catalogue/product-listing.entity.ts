import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ProductEntity } from './product.entity.js';

/** What the lists of the shop filter and sort by, of each product that it shows. Triggers write it. */
@Entity('product_listings')
@Index('product_listings_group_idx', ['groupId'], { where: 'group_id IS NOT NULL' })
@Index('product_listings_name_idx', { synchronize: false })
@Index('product_listings_price_idx', ['price', 'productId'])
@Index('product_listings_rating_idx', ['rating', 'productId'])
@Index('product_listings_keys_idx', { synchronize: false })
export class ProductListingEntity {
  @PrimaryColumn('integer', { name: 'product_id', primaryKeyConstraintName: 'product_listings_pkey' })
  @ForeignKey(() => ProductEntity, { name: 'product_listings_product_id_fkey', onDelete: 'CASCADE' })
  productId: number;

  @Column('uuid', { name: 'group_id', nullable: true })
  groupId: string | null;

  @Column('text')
  name: string;

  @Column('numeric', { precision: 12, scale: 2 })
  price: number;

  /** The average of its ratings in hundredths; 0 without any. */
  @Column('smallint')
  rating: number;

  /** The values of filters, such as `color:blue` and `category:17`; `stock` where some are left. */
  @Column('text', { array: true })
  keys: string[];
}

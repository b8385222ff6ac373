import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ProductEntity } from './product.entity.js';

/** A further picture of a product; at position 0 the alternative text of its own picture. */
@Entity('product_images')
@Check('product_images_position_check', 'position >= 0')
@Index('product_images_picture_idx', { synchronize: false })
export class ProductImageEntity {
  @PrimaryColumn('integer', { name: 'product_id', primaryKeyConstraintName: 'product_images_pkey' })
  @ForeignKey(() => ProductEntity, { name: 'product_images_product_id_fkey', onDelete: 'CASCADE' })
  productId: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'product_images_pkey' })
  position: number;

  @Column('text')
  url: string;

  @Column('varchar', { length: 300, nullable: true })
  alt: string | null;
}

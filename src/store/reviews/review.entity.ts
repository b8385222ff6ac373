import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ProductEntity } from '../catalogue/product.entity.js';
import { UserEntity } from '../users/user.entity.js';

/** A user's review of a product; one for each user and product. */
@Entity('reviews')
@Index('reviews_picture_idx', { synchronize: false })
@Index('reviews_text_idx', { synchronize: false })
@Unique('reviews_product_id_user_id_key', ['productId', 'userId'])
@Check('reviews_rating_check', 'rating BETWEEN 1 AND 5')
@Index('reviews_user_idx', ['userId'])
@Index('reviews_newest_idx', { synchronize: false })
@Index('reviews_all_newest_idx', { synchronize: false })
export class ReviewEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'reviews_pkey',
  })
  id: number;

  @Column('integer', { name: 'product_id' })
  @ForeignKey(() => ProductEntity, { name: 'reviews_product_id_fkey' })
  productId: number;

  @Column('uuid', { name: 'user_id' })
  @ForeignKey(() => UserEntity, { name: 'reviews_user_id_fkey', onDelete: 'CASCADE' })
  userId: string;

  @Column('integer')
  rating: number;

  @Column('text', { nullable: true })
  title: string | null;

  @Column('text', { nullable: true })
  content: string | null;

  @Column('text', { name: 'image_url', nullable: true })
  imageUrl: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** What the shop answers to it, for everybody to see. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column({ type: 'timestamptz', name: 'answered_at', nullable: true, precision: 3 })
  answeredAt: Date | null;
}

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What a user says of a product; one a user and product. */
@Entity('reviews')
export class ReviewEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column('integer', { name: 'product_id' })
  productId: number;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('integer')
  rating: number;

  @Column('text', { nullable: true })
  title: string | null;

  @Column('text', { nullable: true })
  content: string | null;

  @Column('text', { name: 'image_url', nullable: true })
  imageUrl: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

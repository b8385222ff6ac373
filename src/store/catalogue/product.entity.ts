import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A product. A deleted one keeps its row, for the orders that show it. */
@Entity('products')
export class ProductEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column('varchar')
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
}

import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

/** A user's or a guest's words about the shop. Its `userId` never changes. */
@Entity('testimonials')
@Index('testimonials_picture_idx', { synchronize: false })
@Index('testimonials_text_idx', { synchronize: false })
@Check('testimonials_check', 'user_id IS NOT NULL OR guest_name IS NOT NULL')
@Check('testimonials_rating_check', 'rating BETWEEN 1 AND 5')
@Index('testimonials_user_idx', ['userId'])
@Index('testimonials_featured_idx', { synchronize: false })
@Index('testimonials_newest_idx', { synchronize: false })
export class TestimonialEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'testimonials_pkey',
  })
  id: number;

  @Column('uuid', { name: 'user_id', nullable: true })
  @ForeignKey(() => UserEntity, { name: 'testimonials_user_id_fkey', onDelete: 'CASCADE' })
  userId: string | null;

  @Column('text', { name: 'guest_name', nullable: true })
  guestName: string | null;

  @Column('text', { name: 'guest_role', nullable: true })
  guestRole: string | null;

  @Column('text', { name: 'guest_avatar_url', nullable: true })
  guestAvatarUrl: string | null;

  @Column('text')
  content: string;

  @Column('integer')
  rating: number;

  @Column('boolean', { name: 'is_featured', default: false })
  isFeatured: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** What the shop answers to it, for everybody to see. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column({ type: 'timestamptz', name: 'answered_at', nullable: true, precision: 3 })
  answeredAt: Date | null;
}

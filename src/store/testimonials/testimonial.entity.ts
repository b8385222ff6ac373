import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What a user, or a guest, says of the shop. Its `userId` never changes. */
@Entity('testimonials')
export class TestimonialEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column('uuid', { name: 'user_id', nullable: true })
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

  @Column('boolean', { name: 'is_featured' })
  isFeatured: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

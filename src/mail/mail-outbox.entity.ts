import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A mail that a node of the last release leaves behind: a trigger puts it into the job queue in its place. */
@Entity('mail_outbox')
export class MailOutboxEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'mail_outbox_pkey',
  })
  id: string;

  @Column('text')
  kind: string;

  /** Its subject, as its writer identifies it. */
  @Column('text')
  about: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}

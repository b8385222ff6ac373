import { Column, Entity, PrimaryColumn } from 'typeorm';

export const uploadKinds = ['product', 'avatar', 'general'] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** A stored picture; its bytes are in the storage, under its kind and filename. */
@Entity('uploads')
export class UploadEntity {
  @PrimaryColumn('text')
  filename: string;

  @Column('text')
  kind: UploadKind;

  /** Null for pictures that the service made itself. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** In bytes. */
  @Column('integer')
  size: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

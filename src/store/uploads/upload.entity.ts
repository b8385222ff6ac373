import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';

export const uploadKinds = ['product', 'avatar', 'general'] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** A stored picture; its bytes are in the storage, under its kind and filename. */
@Entity('uploads')
@Check('uploads_kind_check', `kind IN ('product', 'avatar', 'general')`)
@Index('uploads_user_idx', ['userId'])
@Index('uploads_unused_idx', ['unusedSince'], { where: 'unused_since IS NOT NULL' })
export class UploadEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uploads_pkey' })
  filename: string;

  @Column('text')
  kind: UploadKind;

  /** Null for pictures that the service made. */
  @Column('uuid', { name: 'user_id', nullable: true })
  @ForeignKey(() => UserEntity, { name: 'uploads_user_id_fkey', onDelete: 'SET NULL' })
  userId: string | null;

  /** In bytes. */
  @Column('integer')
  size: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Since when the sweep has found it in no use. */
  @Column({ type: 'timestamptz', name: 'unused_since', precision: 3, nullable: true })
  unusedSince: Date | null;
}

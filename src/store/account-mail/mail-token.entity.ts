import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The purpose of a link in a mail: to confirm the address, to set a new password, or to set the address back. */
export type MailTokenPurpose = 'confirm' | 'reset' | 'undo';

/**
 * The right to do one thing, carried by a link in a mail. A deleted account keeps its row, so no foreign key would clear its
 * tokens: a step of the deletion does.
 */
@Entity('mail_tokens')
@Check('mail_tokens_purpose_check', `(purpose = ANY (ARRAY['confirm'::text, 'reset'::text, 'undo'::text]))`)
@Index('mail_tokens_user_idx', ['userId'])
@Index('mail_tokens_expiry_idx', ['expiresAt'])
@Index('mail_tokens_undo_idx', { synchronize: false })
export class MailTokenEntity {
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'mail_tokens_pkey' })
  tokenHash: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  purpose: MailTokenPurpose;

  /** The address that the link was mailed to: the token is valid while the account has it; to set it back, when it has another. */
  @Column('varchar', { length: 254 })
  email: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

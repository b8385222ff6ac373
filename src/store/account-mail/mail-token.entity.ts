import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a link in a mail is for: to confirm the address, or to set a new password. */
export type MailTokenPurpose = 'confirm' | 'reset';

/**
 * The right to do one thing, which a link in a mail carries. The account's row stays when it is deleted, so that no
 * foreign key would clear these: a step of the deletion does.
 */
@Entity('mail_tokens')
@Check('mail_tokens_purpose_check', `(purpose = ANY (ARRAY['confirm'::text, 'reset'::text]))`)
@Index('mail_tokens_user_idx', ['userId'])
@Index('mail_tokens_expiry_idx', ['expiresAt'])
export class MailTokenEntity {
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'mail_tokens_pkey' })
  tokenHash: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  purpose: MailTokenPurpose;

  /** The address that it was sent to: it holds while that is the account's. */
  @Column('varchar', { length: 254 })
  email: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

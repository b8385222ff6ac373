import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';
import type { Voucher } from './token-responses.js';

/** A login with the right password that still needs its code. */
@Entity('login_challenges')
@Index('login_challenges_expiry_idx', ['expiresAt'])
@Index('login_challenges_user_idx', ['userId'])
export class LoginChallengeEntity {
  /** The digest of the temporary token. */
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'login_challenges_pkey' })
  tokenHash: string;

  @ForeignKey(() => UserEntity, { name: 'login_challenges_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** The version of the account's tokens; raising it ends the challenge. */
  @Column('integer', { name: 'token_version' })
  tokenVersion: number;

  @Column('integer', { name: 'wrong_codes', default: 0 })
  wrongCodes: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** What the provider of OpenID Connect says of the login, if it began there. */
  @Column('jsonb', { nullable: true })
  voucher: Voucher | null;
}

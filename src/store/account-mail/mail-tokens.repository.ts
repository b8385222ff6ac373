import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { MailTokenEntity, type MailTokenPurpose } from './mail-token.entity.js';

/** The account and address that a link was mailed to. */
export interface MailTokenHolder {
  user_id: string;
  email: string;
  expires_at: Date;
}

export interface NamedHolder extends MailTokenHolder {
  username: string;
}

const sweptAtOnce = 20;

/** Each new token removes some expired ones. */
const add = statement(
  'account-mail.add-token',
  `WITH old AS (
     DELETE FROM mail_tokens WHERE token_hash IN (
       SELECT token_hash FROM mail_tokens WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${sweptAtOnce} FOR UPDATE SKIP LOCKED))
   INSERT INTO mail_tokens (token_hash, user_id, purpose, email, expires_at) VALUES ($1, $2, $3, $4, $5)`,
);

const find = statement(
  'account-mail.find-token',
  `SELECT t.user_id, t.email, t.expires_at, u.username
     FROM mail_tokens t JOIN users u ON u.id = t.user_id AND u.deleted_at IS NULL
    WHERE t.token_hash = $1 AND t.purpose = $2 AND t.expires_at > now()`,
);

/**
 * Of concurrent requests, one gets the row. It locks the account first, as everything does that ends the account's links:
 * otherwise two links of one account that are used at once would wait for each other.
 */
const take = statement(
  'account-mail.take-token',
  `WITH holder AS MATERIALIZED (
     SELECT id FROM users
      WHERE id = (SELECT user_id FROM mail_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > now())
        FOR NO KEY UPDATE)
   DELETE FROM mail_tokens
    WHERE token_hash = $1 AND purpose = $2 AND user_id = (SELECT id FROM holder)
    RETURNING user_id, email, expires_at`,
);

/** Whether an account other than $1 may take the address $2 back. */
const isPromised = statement(
  'account-mail.is-promised',
  `SELECT EXISTS (SELECT FROM mail_tokens
                   WHERE purpose = 'undo' AND lower(email) = $2 AND user_id <> $1 AND expires_at > now())
          OR EXISTS (SELECT FROM users
                      WHERE lower(former_email) = $2 AND id <> $1 AND deleted_at IS NULL) AS promised`,
);

@Injectable()
export class MailTokensRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(MailTokenEntity) private readonly tokens: Repository<MailTokenEntity>,
  ) {}

  async add({ tokenHash, userId, purpose, email, expiresAt }: MailTokenEntity): Promise<void> {
    await this.database.execute(add, [tokenHash, userId, purpose, email, expiresAt]);
  }

  find(tokenHash: string, purpose: MailTokenPurpose): Promise<NamedHolder | null> {
    return this.database.row<NamedHolder>(find, [tokenHash, purpose]);
  }

  /** Returns the holder of a token, and uses the token up. */
  take(tokenHash: string, purpose: MailTokenPurpose): Promise<MailTokenHolder | null> {
    return this.database.row<MailTokenHolder>(take, [tokenHash, purpose]);
  }

  /** Whether an account has a token of this purpose, for this address if one is given, that is still valid. */
  has(purpose: MailTokenPurpose, userId: string, email: string | null): Promise<boolean> {
    return this.tokens.existsBy({ userId, purpose, expiresAt: MoreThan(new Date()), ...(email !== null && { email }) });
  }

  async isPromised(email: string, exceptTo: string): Promise<boolean> {
    return (await this.database.one<{ promised: boolean }>(isPromised, [exceptTo, email.toLowerCase()])).promised;
  }

  /** Removes the tokens of an account, of all purposes but this one if it is given. */
  async removeOf(userId: string, except?: MailTokenPurpose): Promise<void> {
    await this.tokens.delete({ userId, ...(except && { purpose: Not(except) }) });
  }

  /** Removes the tokens of a purpose that are valid for longer than until a time. */
  async removeLater(userId: string, purpose: MailTokenPurpose, expiresAt: Date): Promise<void> {
    await this.tokens.delete({ userId, purpose, expiresAt: MoreThan(expiresAt) });
  }
}

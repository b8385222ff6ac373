import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { mailAddress, mailAddressConfirmed } from './mail-address.statements.js';

/** An account, and the address to which mails to it go. */
export interface MailRecipient {
  id: string;
  username: string;
  email: string;
  is_confirmed: boolean;
}

const byId = statement(
  'account-mail.recipient',
  `SELECT u.id, u.username, ${mailAddress} AS email, ${mailAddressConfirmed} AS is_confirmed
     FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`,
);

/** Shop admins who can sign in, oldest first. */
const admins = statement(
  'account-mail.admins',
  `SELECT u.id, u.username, ${mailAddress} AS email, ${mailAddressConfirmed} AS is_confirmed
     FROM users u WHERE u.role = 'admin' AND u.deleted_at IS NULL AND u.suspended_at IS NULL ORDER BY u.id LIMIT $1`,
);

@Injectable()
export class MailedAccountsRepository {
  constructor(private readonly database: Database) {}

  byId(id: string): Promise<MailRecipient | null> {
    return this.database.row<MailRecipient>(byId, [id]);
  }

  admins(most: number): Promise<MailRecipient[]> {
    return this.database.rows<MailRecipient & Record<string, unknown>>(admins, [most]);
  }
}

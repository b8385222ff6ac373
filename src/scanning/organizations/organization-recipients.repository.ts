import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { mailAddress, mailAddressConfirmed } from '../../store/account-mail/mail-address.statements.js';

/** A member, and the address to which mails to them go. */
export interface Recipient {
  id: string;
  username: string;
  email: string;
  isConfirmed: boolean;
}

const recipients = (which: string): string => `
  SELECT u.id, u.username, ${mailAddress} AS email, ${mailAddressConfirmed} AS "isConfirmed"
    FROM organization_members m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND u.deleted_at IS NULL AND ${which}
   ORDER BY m.created_at, m.user_id`;

const byIds = statement('organization-recipients.by-ids', recipients('m.user_id = ANY ($2::uuid[])'));
const admins = statement('organization-recipients.admins', `${recipients(`m.role = 'admin'`)} LIMIT $2`);

@Injectable()
export class OrganizationRecipientsRepository {
  constructor(private readonly database: Database) {}

  /** Those of these users who are members. */
  byIds(organizationId: string, userIds: string[]): Promise<Recipient[]> {
    return this.database.rows<Recipient & Record<string, unknown>>(byIds, [organizationId, userIds]);
  }

  /** The admins who have been so for longest. */
  admins(organizationId: string, limit: number): Promise<Recipient[]> {
    return this.database.rows<Recipient & Record<string, unknown>>(admins, [organizationId, limit]);
  }
}

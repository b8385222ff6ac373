import { Injectable } from '@nestjs/common';
import { Rates } from '../../platform/quotas/rates.js';
import { OrganizationRecipientsRepository, type Recipient } from './organization-recipients.repository.js';

// Unspecified: how many admins are told of trouble.
const mostAdmins = 20;

/** Finds the members of organizations to whom mails go. */
@Injectable()
export class OrganizationRecipients {
  constructor(
    private readonly repository: OrganizationRecipientsRepository,
    private readonly rates: Rates,
  ) {}

  /** Those of these users who are members now. */
  async among(organizationId: string, userIds: string[]): Promise<Set<string>> {
    return new Set((await this.repository.byIds(organizationId, userIds)).map(({ id }) => id));
  }

  /** The members among these users who may be mailed. */
  async mailable(organizationId: string, userIds: string[]): Promise<Recipient[]> {
    return this.allowed(await this.repository.byIds(organizationId, userIds));
  }

  /** The admins who may be mailed. */
  async mailableAdmins(organizationId: string): Promise<Recipient[]> {
    return this.allowed(await this.repository.admins(organizationId, mostAdmins));
  }

  /** An unconfirmed address may be a stranger's: it gets as few mails as any mail about an account. */
  private async allowed(recipients: Recipient[]): Promise<Recipient[]> {
    const kept: Recipient[] = [];
    for (const one of recipients) {
      if (one.isConfirmed || (await this.rates.mayTake('accountMails', one.id))) kept.push(one);
    }
    return kept;
  }
}

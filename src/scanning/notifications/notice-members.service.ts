import { Injectable } from '@nestjs/common';
import { greeting, inertText } from '../../platform/mail/header-text.js';
import type { MailBlock } from '../../platform/mail/mail.js';
import { blocksText } from '../../platform/mail/mail-layout.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { OrganizationRecipients } from '../organizations/organization-recipients.js';
import type { Notice, NoticeItem } from './notice.js';

const longestName = 200;

/** Mails notifications to members of the organization. */
@Injectable()
export class NoticeMembersService {
  constructor(
    private readonly recipients: OrganizationRecipients,
    private readonly mailer: Mailer,
  ) {}

  /** Those of these users who are members now. */
  among(organizationId: string, userIds: string[]): Promise<Set<string>> {
    return this.recipients.among(organizationId, userIds);
  }

  /**
   * Queues a mail to each of these users who still is a member, in the current unit of work, and returns how many there
   * are; null where this service sends no mails.
   */
  async send(organizationId: string, userIds: string[], notice: Notice): Promise<number | null> {
    if (!this.mailer.isOn) return null;
    const recipients = await this.recipients.mailable(organizationId, userIds);
    const { subject, values, blocks } = mailOf(notice);
    for (const { id, username, email } of recipients) {
      await this.mailer.send({
        kind: 'workflow-notice',
        values,
        account: id,
        to: { address: email, name: username },
        subject,
        blocks: [{ text: greeting(username) }, ...blocks],
      });
    }
    return recipients.length;
  }
}

/** The mail of a notice, without the greeting. */
function mailOf(notice: Notice) {
  const organization = `“${inertText(notice.organization, longestName)}”`;
  const workflow = `“${inertText(notice.workflow, longestName)}”`;
  const title = inertText(notice.title, longestName);
  const worst = rowsOf(notice);
  const link = { label: 'Open in the console', url: notice.url };
  const blocks: MailBlock[] = [
    { text: `${title} in ${organization}.` },
    ...(worst.length > 0 ? [{ rows: worst }] : []),
    { button: link },
    { text: `The workflow ${workflow} sent this mail: an admin of the organization can change whom it mails.` },
  ];
  return { subject: `${title} in ${organization}`, values: { organization, workflow, title, worst, link }, blocks };
}

/** The subject and text of a notice's mail. */
export function mailText(notice: Notice): string {
  const { subject, blocks } = mailOf(notice);
  return `${subject}\n\n${blocksText(blocks)}`;
}

function rowsOf({ items, more }: Notice): [string, string][] {
  const rows = items.map((item): [string, string] => [item.severity ?? item.status, describe(item)]);
  return more > 0 ? [...rows, ['', `and ${more} more`]] : rows;
}

/** What strangers chose becomes no link; a path stays as it is. */
function describe({ name, asset, place }: NoticeItem): string {
  const where = place.includes('://') ? inertText(place, longestName) : place;
  const parts = [inertText(name, longestName), inertText(asset, longestName), where];
  return parts.filter((one) => one !== '').join(' – ');
}

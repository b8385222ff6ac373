import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Rates } from '../../platform/quotas/rates.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { inertText } from '../../platform/mail/header-text.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { mailTask, type UnwordedMail } from '../../platform/mail/mail-task.js';
import { MailWriters } from '../../platform/mail/mail-writers.js';
import type { Mail } from '../../platform/mail/mail.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { InvitationsRepository, type InvitationOutcome } from './invitations.repository.js';

const kind = 'invitation';
const maxName = 80;

/** A name that strangers chose, made fit for a mail. */
export function inertName(name: string): string {
  return inertText(name, maxName);
}

/** Mails the invited. */
@Injectable()
export class InvitationMail implements OnModuleInit {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly rates: Rates,
    private readonly mailer: Mailer,
    private readonly writers: MailWriters,
    private readonly links: MailLinks,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.writers.add(kind, (id) => this.write(id));
  }

  /**
   * Queues the mail in the current unit of work, unless the address has had its most for today: the invitation itself
   * stands. The inviter does not learn of it, since others may have sent those mails.
   */
  async send({ invitationId, address }: InvitationOutcome): Promise<void> {
    if (!this.mailer.isOn || !(await this.rates.mayTake('invitationMails', address.toLowerCase()))) return;
    const mail: UnwordedMail = {
      id: `${kind}.${invitationId}`,
      at: new Date().toISOString(),
      kind,
      about: invitationId,
    };
    await this.queue.add(mailTask, { ...mail });
  }

  /** The mail as it is at the time of sending; null if the invitation was answered or revoked meanwhile. */
  private async write(id: string): Promise<Mail<typeof kind> | null> {
    const invitation = await this.repository.forMail(id);
    if (!invitation) return null;
    const { address, account, name, role, expiresAt, organizationName, inviterName } = invitation;
    const organization = `“${inertName(organizationName)}”`;
    const inviter = inviterName === null ? 'An admin' : inertName(inviterName);
    const before = account === null ? 'Register with this address and confirm it, or sign in, and then' : 'Sign in to';
    const link = { label: 'Answer the invitation', url: this.links.invitations() };
    const expires = expiresAt.toISOString().slice(0, 10);
    return {
      kind,
      values: { organization, inviter, role: asRole[role], invitation: id, expires, link },
      to: { address, name: name ?? '' },
      subject: `You are invited to ${organization}`,
      blocks: [
        { text: `${inviter} invites you to the organization ${organization}, as ${asRole[role]}.` },
        { text: `${before} accept or decline. Until you accept, nothing changes for you.` },
        { button: link },
        { rows: [['Invitation', id]] },
        {
          text: `The invitation ends on ${expires}. If you do not know who sent it, ignore it.`,
        },
      ],
      ...(account === null ? {} : { account }),
      usefulUntil: expiresAt,
    };
  }
}

const asRole = { admin: 'an admin', member: 'a member', viewer: 'a viewer' };

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Rates } from '../../platform/quotas/rates.js';
import { inertText } from '../../platform/mail/header-text.js';
import type { Mail, MailBlock } from '../../platform/mail/mail.js';
import { MailWriters } from '../../platform/mail/mail-writers.js';
import { type OwnedSession, SessionsRepository } from './sessions.repository.js';
import { sessionMails } from './sessions.statements.js';

type SessionMailKind = (typeof sessionMails)[keyof typeof sessionMails];

const whatToDo =
  'If that was not you, somebody else can sign in: change your password, which signs out everywhere else, and ' +
  'check your sessions.';

/** Words the mails about sessions. */
@Injectable()
export class SessionMails implements OnModuleInit {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly writers: MailWriters,
    private readonly rates: Rates,
  ) {}

  onModuleInit(): void {
    this.writers.add(sessionMails.newDevice, (id) =>
      this.about(id, sessionMails.newDevice, 'A new device has signed in to your account', 'created_at', (details) => [
        { text: 'A device that was never used before has signed in to your account.' },
        { rows: details },
        { text: `If that was you, there is nothing to do. ${whatToDo}` },
      ]),
    );
    this.writers.add(sessionMails.reused, (id) =>
      this.about(id, sessionMails.reused, 'A session of your account was ended', 'last_used_at', (details) => [
        {
          text:
            'A key of this session was used a second time, which happens when somebody has copied it. We have ' +
            'ended the session for everybody.',
        },
        { rows: details },
        { text: `Sign in again to continue. ${whatToDo}` },
      ]),
    );
  }

  private async about(
    sessionId: string,
    kind: SessionMailKind,
    subject: string,
    time: 'created_at' | 'last_used_at',
    blocksOf: (details: [string, string][]) => MailBlock[],
  ): Promise<Mail<SessionMailKind> | null> {
    const session = await this.repository.ownerOf(sessionId);
    if (!session || !(await this.mayTell(session))) return null;
    const { id, username, email } = session;
    const details = rowsOf(session, session[time]);
    const to = { address: email, name: username };
    return { kind, values: { details }, to, subject, blocks: blocksOf(details), account: id };
  }

  /** An unconfirmed address may be a stranger's: repeated logins must not fill their mailbox. */
  private async mayTell({ id, email_verified }: OwnedSession): Promise<boolean> {
    return email_verified || this.rates.mayTake('accountMails', id);
  }
}

const shown = (text: string): string => inertText(text, 100);

function rowsOf({ username, device, address }: OwnedSession, at: Date): [string, string][] {
  return [
    ['Account', shown(username)],
    ['Device', shown(device)],
    ['Address', address],
    ['Time', `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ];
}

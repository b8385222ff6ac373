import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { greeting } from '../../mail/header-text.js';
import type { MailBlock } from '../../mail/mail.js';
import { MailLinks } from '../../mail/mail-links.js';
import { Mailer } from '../../mail/mailer.js';
import { MailTokensService } from './mail-tokens.service.js';

/** The account that a mail goes to. */
export interface MailedAccount {
  id: string;
  username: string;
  email: string;
}

const resetMinutes = 30;

/** Mails accounts about themselves; each mail is queued in the unit of work of the change that it reports. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly links: MailLinks,
    private readonly tokens: MailTokensService,
    private readonly settings: Settings,
  ) {}

  /** Welcomes a new account, with a link to confirm its address. */
  async welcome(account: MailedAccount): Promise<void> {
    const { shopName } = this.settings.mail;
    await this.sendConfirmation(account, 'welcome', `Welcome to ${shopName}`, [
      { text: `you have an account at ${shopName} now: welcome! Please confirm that this address is yours.` },
    ]);
  }

  /** Sends another link to confirm the account's address. */
  async confirmAddress(account: MailedAccount): Promise<void> {
    await this.sendConfirmation(account, 'confirm-address', 'Please confirm your address', [
      { text: `please confirm that this address is that of your account at ${this.settings.mail.shopName}.` },
    ]);
  }

  /** Tells the former address of an account that the account has moved to another one. */
  addressChanged(account: MailedAccount, formerEmail: string): Promise<void> {
    return this.send({ ...account, email: formerEmail }, 'address-changed', 'Your address was changed', [
      { text: `your account has another e-mail address now, and mails no longer go to ${formerEmail}.` },
      { text: 'If it was not you, sign in, change your password and set the address back, or write to the shop.' },
    ]);
  }

  /** Sends a link to set a new password. */
  async resetPassword(account: MailedAccount): Promise<void> {
    if (!this.mailer.isOn) return;
    const { token, expiresAt } = await this.tokens.issue('reset', account.id, account.email);
    const url = this.links.accountPage('reset', { token });
    const blocks: MailBlock[] = [
      { text: 'somebody asked for a new password for your account. If it was you, set one here:' },
      { button: { label: 'Set a new password', url } },
      { text: `The link serves once, within ${resetMinutes} minutes. If it was not you, there is nothing to do.` },
    ];
    await this.send(account, 'password-reset', 'Set a new password', blocks, expiresAt);
  }

  /** Confirms that such a link has set a new password. */
  passwordWasReset(account: MailedAccount): Promise<void> {
    return this.send(account, 'password-was-reset', 'Your password was changed', [
      { text: 'your account has a new password, set by a link in a mail to you. All devices were signed out.' },
      { text: 'If it was not you, somebody reads your mail: secure that first, then ask for another link.' },
    ]);
  }

  /** Tells the owner that an admin has suspended the account, or lifted that. */
  suspensionChanged({ suspended, ...account }: MailedAccount & { suspended: boolean }): Promise<void> {
    if (!suspended) {
      return this.send(account, 'account-restored', 'You can sign in again', [
        { text: 'your account is no longer suspended: you can sign in again.' },
      ]);
    }
    return this.send(account, 'account-suspended', 'Your account was suspended', [
      { text: `your account at ${this.settings.mail.shopName} was suspended, and all devices were signed out.` },
      { text: 'Nothing of it is lost. To learn why, or to have it back, write to the shop.' },
    ]);
  }

  /** Tells the owner that an admin has signed the account out everywhere. */
  signedOut(account: MailedAccount): Promise<void> {
    return this.send(account, 'signed-out', 'Your account was signed out everywhere', [
      { text: 'somebody who runs the shop has signed your account out on all devices. Sign in again to go on.' },
      { text: 'If you did not ask for that, change your password once you are in: somebody else may know it.' },
    ]);
  }

  /** Says goodbye to an account that is being deleted; the mail goes out although the account is gone by then. */
  deleted({ username, email }: MailedAccount): Promise<void> {
    return this.mailer.send({
      kind: 'account-deleted',
      to: { address: email, name: username },
      subject: 'Your account was deleted',
      blocks: [
        { text: greeting(username) },
        { text: `your account at ${this.settings.mail.shopName} was deleted, and with it what told who you are.` },
      ],
    });
  }

  private async sendConfirmation(
    account: MailedAccount,
    kind: string,
    subject: string,
    blocks: MailBlock[],
  ): Promise<void> {
    if (!this.mailer.isOn) return;
    const { token, expiresAt } = await this.tokens.issue('confirm', account.id, account.email);
    const url = this.links.accountPage('confirm', { token });
    const rest: MailBlock[] = [
      { button: { label: 'Confirm the address', url } },
      { text: 'If you know nothing of this account, there is nothing to do.' },
    ];
    await this.send(account, kind, subject, [...blocks, ...rest], expiresAt);
  }

  private send(
    { id, username, email }: MailedAccount,
    kind: string,
    subject: string,
    blocks: MailBlock[],
    usefulUntil?: Date,
  ): Promise<void> {
    return this.mailer.send({
      kind,
      account: id,
      to: { address: email, name: username },
      subject,
      blocks: [{ text: greeting(username) }, ...blocks],
      ...(usefulUntil ? { usefulUntil } : {}),
    });
  }
}

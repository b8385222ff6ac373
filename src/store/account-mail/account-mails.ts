import { Injectable } from '@nestjs/common';
import { greeting } from '../../platform/mail/header-text.js';
import type { MailBlock } from '../../platform/mail/mail.js';
import type { MailKind, MailValues } from '../../platform/mail/mail-kinds.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { ShopService } from '../shop/shop.service.js';
import { MailedAccountsRepository } from './mailed-accounts.repository.js';
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
    private readonly shop: ShopService,
    private readonly accounts: MailedAccountsRepository,
  ) {}

  /** Welcomes a new account, with a link to confirm its address. */
  async welcome(account: MailedAccount): Promise<void> {
    const { name } = await this.shop.current();
    await this.sendConfirmation(account, 'welcome', `Welcome to ${name}`, [
      { text: `you have an account at ${name} now: welcome! Please confirm that this address is yours.` },
    ]);
  }

  /** Sends another link to confirm the account's address. */
  async confirmAddress(account: MailedAccount): Promise<void> {
    const { name } = await this.shop.current();
    await this.sendConfirmation(account, 'confirm-address', 'Please confirm your address', [
      { text: `please confirm that this address is that of your account at ${name}.` },
    ]);
  }

  /**
   * Sends a link to confirm the account's address to somebody who forgot the password: a new one is set by mail only to a
   * confirmed address.
   */
  async confirmBeforeReset(account: MailedAccount): Promise<void> {
    const { name } = await this.shop.current();
    await this.sendConfirmation(account, 'confirm-address', 'Please confirm your address first', [
      {
        text:
          `somebody asked for a new password for the account with this address at ${name}. The ` +
          'address is not confirmed yet: if it was you, confirm it, and then ask for the new password once more.',
      },
    ]);
  }

  /** Tells the former address of an account that the account has moved to another one, with a link to set it back. */
  async addressChanged(account: MailedAccount, formerEmail: string): Promise<void> {
    if (!this.mailer.isOn) return;
    const { token } = await this.tokens.issue('undo', account.id, formerEmail);
    const link = { label: 'Restore the address', url: this.links.accountPage('undo-email', { token }) };
    const values = { former_address: formerEmail, link };
    await this.send({ ...account, email: formerEmail }, 'address-changed', values, 'Your address was changed', [
      {
        text:
          `your account has a new e-mail address. Once it is confirmed, we no longer send mail to ` +
          `${formerEmail}. If it ` +
          'was you, there is nothing to do.',
      },
      { text: 'If it was not you, restore the address within seven days. That signs out all devices:' },
      { button: link },
    ]);
  }

  /** Tells the address that an account has again, with a link to set a new password. */
  async addressSetBack(account: MailedAccount): Promise<void> {
    if (!this.mailer.isOn) return;
    const { token, expiresAt } = await this.tokens.issue('reset', account.id, account.email);
    const link = { label: 'Set a new password', url: this.links.accountPage('reset', { token }) };
    const blocks: MailBlock[] = [
      { text: 'your account has this address again, and all devices were signed out. Please set a new password now:' },
      { button: link },
      {
        text:
          `The link works once, within ${resetMinutes} minutes; you can ask for another one where you sign in. ` +
          `Then check your API keys, if you have any, and your two-factor login.`,
      },
    ];
    await this.send(account, 'address-set-back', { link }, 'Your address was restored', blocks, expiresAt);
  }

  /** Tells the address that an account had, that it was set back to the one before. */
  addressTakenBack(account: MailedAccount): Promise<void> {
    return this.send(account, 'address-taken-back', {}, 'Your account has its former address again', [
      { text: 'somebody who reads the mail to the former address of your account has restored that address.' },
      { text: 'If it was not you, write to the shop.' },
    ]);
  }

  /** Sends a link to set a new password. */
  async resetPassword(account: MailedAccount): Promise<void> {
    if (!this.mailer.isOn) return;
    const { token, expiresAt } = await this.tokens.issue('reset', account.id, account.email);
    const link = { label: 'Set a new password', url: this.links.accountPage('reset', { token }) };
    const blocks: MailBlock[] = [
      { text: 'somebody asked for a new password for your account. If it was you, set one here:' },
      { button: link },
      { text: `The link works once, within ${resetMinutes} minutes. If it was not you, there is nothing to do.` },
    ];
    await this.send(account, 'password-reset', { link }, 'Set a new password', blocks, expiresAt);
  }

  /** Confirms that such a link has set a new password. */
  passwordWasReset(account: MailedAccount): Promise<void> {
    return this.send(account, 'password-was-reset', {}, 'Your password was changed', [
      { text: 'your account has a new password, set by a link in a mail to you. All devices were signed out.' },
      { text: 'If it was not you, somebody reads your mail: secure that first, then ask for another link.' },
    ]);
  }

  /** Tells the owner that an admin has suspended the account, or lifted that. */
  async suspensionChanged({ suspended, ...account }: MailedAccount & { suspended: boolean }): Promise<void> {
    if (!suspended) {
      return this.send(account, 'account-restored', {}, 'You can sign in again', [
        { text: 'your account is no longer suspended: you can sign in again.' },
      ]);
    }
    const { name } = await this.shop.current();
    return this.send(account, 'account-suspended', {}, 'Your account was suspended', [
      { text: `your account at ${name} was suspended, and all devices were signed out.` },
      { text: 'Nothing in it is lost. To learn why, or to have it back, write to the shop.' },
    ]);
  }

  /** Tells the owner that an admin has signed the account out everywhere. */
  signedOut(account: MailedAccount): Promise<void> {
    return this.send(account, 'signed-out', {}, 'Your account was signed out everywhere', [
      { text: 'an admin of the shop has signed your account out on all devices. Sign in again to continue.' },
      { text: 'If you did not ask for that, change your password once you are in: somebody else may know it.' },
    ]);
  }

  /**
   * Says goodbye to an account that is being deleted, at its confirmed address if it has one; the mail goes out although the
   * account is gone by then.
   */
  async deleted(userId: string): Promise<void> {
    const account = await this.accounts.byId(userId);
    if (!account) return;
    const { username, email } = account;
    const { name } = await this.shop.current();
    await this.mailer.send({
      kind: 'account-deleted',
      values: {},
      to: { address: email, name: username },
      subject: 'Your account was deleted',
      blocks: [
        { text: greeting(username) },
        { text: `your account at ${name} was deleted, and with it everything that identifies you.` },
      ],
    });
  }

  private async sendConfirmation(
    account: MailedAccount,
    kind: 'welcome' | 'confirm-address',
    subject: string,
    blocks: MailBlock[],
  ): Promise<void> {
    if (!this.mailer.isOn) return;
    const { token, expiresAt } = await this.tokens.issue('confirm', account.id, account.email);
    const link = { label: 'Confirm the address', url: this.links.accountPage('confirm', { token }) };
    const rest: MailBlock[] = [
      { button: link },
      { text: 'If you did not create this account, there is nothing to do.' },
    ];
    await this.send(account, kind, { link }, subject, [...blocks, ...rest], expiresAt);
  }

  private send<Kind extends MailKind>(
    { id, username, email }: MailedAccount,
    kind: Kind,
    values: MailValues<Kind>,
    subject: string,
    blocks: MailBlock[],
    usefulUntil?: Date,
  ): Promise<void> {
    return this.mailer.send({
      kind,
      values,
      account: id,
      to: { address: email, name: username },
      subject,
      blocks: [{ text: greeting(username) }, ...blocks],
      ...(usefulUntil ? { usefulUntil } : {}),
    });
  }
}

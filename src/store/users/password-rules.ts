import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { MailShop } from '../../platform/mail/mail.js';
import { BreachedPasswords } from './breached-passwords.js';
import { isOfContext } from './context-words.js';

/** Of the package's source, a plain list by frequency, in lower case. Its code is for estimates, which nobody needs here. */
const list = '@zxcvbn-ts/language-common/src/passwords.json';
/** Shorter ones are refused anyway. */
const shortest = 8;

let known: Promise<ReadonlySet<string>> | undefined;

async function read(): Promise<ReadonlySet<string>> {
  const path = createRequire(import.meta.url).resolve(list);
  const passwords = JSON.parse(await readFile(path, 'utf8')) as string[];
  return new Set(passwords.filter((password) => password.length >= shortest));
}

/** Whether a password is among the commonest ones, whatever the case of its letters. The list is read once, when first asked. */
async function isCommonPassword(password: string): Promise<boolean> {
  known ??= read();
  return (await known).has(password.toLowerCase());
}

/** The account that a password is chosen for. */
interface Chooser {
  username: string;
  email: string;
}

/** Which passwords are refused, beside those that are too short: the ones that others would try first. */
@Injectable()
export class PasswordRules {
  private readonly hostWords: string[];

  constructor(
    private readonly shop: MailShop,
    private readonly breached: BreachedPasswords,
    { publicUrl }: Settings,
  ) {
    const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname;
    this.hostWords = [host, ...host.split('.')];
  }

  /** The sentence against a password that others would try first; null for any other. */
  async fault(password: string, { username, email }: Chooser): Promise<string | null> {
    const local = email.slice(0, email.lastIndexOf('@'));
    const own = [username, email, local].map((name) => name.toLowerCase());
    if (own.includes(password.toLowerCase())) {
      return 'The password is the username or the e-mail address of the account: choose another one';
    }
    if (await isCommonPassword(password)) {
      return (
        'This is one of the most common passwords, which attackers try first: choose another one, such as three ' +
        'words together'
      );
    }
    const { name } = await this.shop.current();
    if (isOfContext(password, [...own, name, ...name.split(/\s+/), ...this.hostWords])) {
      return (
        'The password is made of names of the account or of the shop, which attackers try first: choose another one, ' +
        'such as three words together'
      );
    }
    if (!(await this.breached.has(password))) return null;
    return 'This password was stolen from another site, and attackers try it: choose one that you use nowhere else';
  }

  /** Throws `Invalid` for a password in this field of the body that others would try first. */
  async assertGood(field: string, password: string, chooser: Chooser): Promise<void> {
    const fault = await this.fault(password, chooser);
    if (fault !== null) throw Invalid.at(['body', field], 'value_error', fault);
  }
}

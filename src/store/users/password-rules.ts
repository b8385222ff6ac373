import { Invalid } from '../../platform/errors/invalid.js';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

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

/** The sentence against a password that others would try first; null for any other. */
export async function passwordFault(password: string, { username, email }: Chooser): Promise<string | null> {
  const own = [username, email, email.slice(0, email.lastIndexOf('@'))].map((name) => name.toLowerCase());
  if (own.includes(password.toLowerCase())) {
    return 'The password is the username or the e-mail address of the account: choose another one';
  }
  if (await isCommonPassword(password)) {
    return (
      'This is one of the most common passwords, which attackers try first: choose another one, such as three ' +
      'words together'
    );
  }
  return null;
}

/** Throws `Invalid` for a password in this field of the body that others would try first. */
export async function assertGoodPassword(field: string, password: string, chooser: Chooser): Promise<void> {
  const fault = await passwordFault(password, chooser);
  if (fault !== null) throw Invalid.at(['body', field], 'value_error', fault);
}

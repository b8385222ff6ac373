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
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= read();
  return (await known).has(password.toLowerCase());
}

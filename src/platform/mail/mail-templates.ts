import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../config/start-error.js';
import type { Mail } from './mail.js';
import { type MailKind, mailKinds, placeholdersOf } from './mail-kinds.js';
import {
  type GivenValues,
  htmlFaults,
  type MailTemplate,
  maxTemplate,
  parseTemplate,
  textFaults,
  type WordedMail,
  wordedBy,
} from './mail-template.js';

/** The mails that the shop words itself. */
export class MailTemplates {
  constructor(private readonly templates: ReadonlyMap<string, MailTemplate>) {}

  /** The mail in the shop's words; null where it has none, or an earlier release queued the mail without its values. */
  word({ kind, values }: Pick<Mail, 'kind'> & { values?: object }, common: GivenValues): WordedMail | null {
    const template = this.templates.get(kind);
    const given = { ...common, ...values } as GivenValues;
    if (!template || Object.keys(placeholdersOf(kind)).some((name) => given[name] === undefined)) return null;
    return wordedBy(template, given);
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the folder MAIL_TEMPLATES: `welcome.txt`, and `welcome.html` beside it. Throws `StartError` with every fault. */
export async function readMailTemplates(folder: string | undefined): Promise<MailTemplates> {
  if (folder === undefined) return new MailTemplates(new Map());
  const files = (await namesIn(folder)).filter((name) => !name.startsWith('.')).sort();
  const templates = new Map<string, MailTemplate>();
  const faults: string[] = [];
  for (const file of files) {
    const [, kind = '', type] = /^(.+)\.(txt|html)$/.exec(file) ?? [];
    if (!isKind(kind)) {
      const kinds = Object.keys(mailKinds).join(', ');
      faults.push(`${file} is the name of no mail: there are ${kinds}, each as .txt and, beside it, as .html`);
      continue;
    }
    if (type === 'html') {
      if (!files.includes(`${kind}.txt`)) faults.push(`${file} has no ${kind}.txt beside it: a mail needs both`);
      continue;
    }
    const text = await read(folder, file, maxTemplate.txt, faults, (content) => textFaults(kind, content));
    const page = `${kind}.html`;
    const html = files.includes(page)
      ? await read(folder, page, maxTemplate.html, faults, (content) => htmlFaults(kind, content))
      : undefined;
    templates.set(kind, { ...parseTemplate(text), ...(html !== undefined && { html }) });
  }
  if (faults.length > 0) throw new StartError(faults.map((fault) => `MAIL_TEMPLATES: ${fault}`).join('\n'));
  return new MailTemplates(templates);
}

function isKind(name: string): name is MailKind {
  return Object.hasOwn(mailKinds, name);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new StartError(`MAIL_TEMPLATES: the folder ${folder} cannot be read (${(error as Error).message})`);
  }
}

/** The content of a file; notes what is wrong with it. */
async function read(
  folder: string,
  file: string,
  most: number,
  faults: string[],
  check: (content: string) => string[],
): Promise<string> {
  try {
    const content = strictUtf8.decode(await readFile(join(folder, file)));
    const tooLong = content.length > most ? [`has more than ${most} characters`] : [];
    faults.push(...[...tooLong, ...(tooLong.length > 0 ? [] : check(content))].map((fault) => `${file} ${fault}`));
    return content;
  } catch (error) {
    faults.push(`${file} cannot be read as text in UTF-8 (${(error as Error).message})`);
    return '';
  }
}

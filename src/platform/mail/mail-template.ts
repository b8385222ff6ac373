import { escapeUTF8 } from 'entities/escape';
import { onOneLine } from './header-text.js';
import type { MailBlock } from './mail.js';
import { type MailKind, type MailValue, type PlaceholderForm, placeholdersOf } from './mail-kinds.js';
import { htmlOf } from './mail-layout.js';

/** A mail in the shop's words. */
export interface MailTemplate {
  subject: string;
  paragraphs: string[];
  /** The page for mail programs; without one, the paragraphs are laid out as those of other mails. */
  html?: string;
}

export type GivenValues = Readonly<Record<string, MailValue>>;

/** What a template makes of a mail. */
export interface WordedMail {
  subject: string;
  blocks: MailBlock[];
  html?: string;
}

const maxSubject = 150;
const maxParagraph = 2_000;
const maxValue = 500;
/** The most characters of a file. */
export const maxTemplate = { txt: 20_000, html: 100_000 };

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;
const lonePlaceholder = /^\{\{\s*(\w+)\s*\}\}$/;

const inText = (value: MailValue): string => {
  if (value === null) return '';
  if (typeof value === 'string') return onOneLine(value, maxValue);
  return Array.isArray(value) ? value.map((row) => row.join(': ')).join(', ') : value.url;
};

const inHtml = (value: MailValue): string =>
  Array.isArray(value) ? (value.length > 0 ? htmlOf({ rows: value }) : '') : escapeUTF8(inText(value));

const filled = (text: string, values: GivenValues, write: (value: MailValue) => string): string =>
  text.replace(placeholder, (_, name: string) => write(values[name] ?? ''));

function blocksOf(paragraph: string, values: GivenValues): MailBlock[] {
  const name = lonePlaceholder.exec(paragraph)?.[1];
  const value = name === undefined ? undefined : values[name];
  if (value === undefined || typeof value === 'string') return [{ text: filled(paragraph, values, inText) }];
  if (value === null) return [];
  if (!Array.isArray(value)) return [{ button: value }];
  return value.length > 0 ? [{ rows: value }] : [];
}

/** The mail in the words of the template. */
export function wordedBy({ subject, paragraphs, html }: MailTemplate, values: GivenValues): WordedMail {
  return {
    subject: filled(subject, values, inText),
    blocks: paragraphs.flatMap((paragraph) => blocksOf(paragraph, values)),
    ...(html !== undefined && { html: filled(html, values, inHtml) }),
  };
}

/** The subject and the paragraphs of a text: `Subject: …` in the first line, then paragraphs between blank lines. */
export function parseTemplate(text: string): MailTemplate {
  const [first = '', ...rest] = text.replaceAll('\r\n', '\n').split('\n');
  const subject = /^Subject:(.*)$/i.exec(first)?.[1]?.trim() ?? '';
  const paragraphs = rest.join('\n').split(/\n\s*\n/);
  return { subject, paragraphs: paragraphs.map((one) => one.trim()).filter((one) => one !== '') };
}

const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name = '']) => name);

/** The faults of the placeholders of a text, and the links that are missing in it. */
function placeholderFaults(kind: MailKind, text: string): string[] {
  const known = placeholdersOf(kind);
  const names = namesIn(text);
  const listed = Object.keys(known).map((name) => `{{${name}}}`);
  const unknown = [...new Set(names)].filter((name) => !Object.hasOwn(known, name));
  const links = Object.entries(known).filter(([name, form]) => form === 'link' && !names.includes(name));
  return [
    ...unknown.map((name) => `has no placeholder {{${name}}}: there are ${listed.join(', ')}`),
    ...(/\{\{|\}\}/.test(text.replace(placeholder, ''))
      ? [`has braces that are no placeholder: write one as ${listed[0]}`]
      : []),
    ...links.map(([name]) => `lacks {{${name}}}, without which the mail is of no use`),
  ];
}

const hasForm = (kind: MailKind, name: string, form: PlaceholderForm): boolean => placeholdersOf(kind)[name] === form;

/** What is wrong with a text, each after the name of its file. */
export function textFaults(kind: MailKind, text: string): string[] {
  const { subject, paragraphs } = parseTemplate(text);
  const rowsWithin = paragraphs
    .filter((one) => !lonePlaceholder.test(one))
    .flatMap(namesIn)
    .filter((name) => hasForm(kind, name, 'rows'));
  return [
    ...(subject === '' ? ['begins without its subject: write "Subject: …" into the first line'] : []),
    ...(subject.length > maxSubject ? [`has a subject of more than ${maxSubject} characters`] : []),
    ...(namesIn(subject).some((name) => !hasForm(kind, name, 'text')) ? ['has more than words in its subject'] : []),
    ...(paragraphs.length === 0 ? ['has no text below the subject'] : []),
    ...(paragraphs.some((one) => one.length > maxParagraph)
      ? [`has a paragraph of more than ${maxParagraph} characters`]
      : []),
    ...rowsWithin.map((name) => `has {{${name}}} within a paragraph: it takes one of its own, between blank lines`),
    ...placeholderFaults(kind, text),
  ];
}

/** Whether a value may stand behind this HTML: in text, or between the double quotes of an attribute. */
function isSafeAfter(html: string): boolean {
  const tag = html.slice(html.lastIndexOf('<'));
  const isInTag = html.includes('<') && !tag.includes('>');
  const quotes = tag.split('"').length - 1;
  const isInCode = /<(script|style)\b(?![^]*<\/\1)/i.test(html);
  return !isInCode && (!isInTag || quotes % 2 === 1);
}

/** The same of a page. */
export function htmlFaults(kind: MailKind, html: string): string[] {
  const unsafe = [...html.matchAll(placeholder)].filter(({ index }) => !isSafeAfter(html.slice(0, index)));
  return [
    ...unsafe.map(([found]) => `has ${found} where it could become code: put it into text or between double quotes`),
    ...placeholderFaults(kind, html),
  ];
}

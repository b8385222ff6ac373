import { decodeHTMLStrict } from 'entities';
import { sha256 } from '../../platform/crypto/digests.js';

export type Fields = Record<string, unknown>;

/** The value as an object; an empty one where it is something else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as a list: some tools write a single element without one. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return value === undefined || value === null ? [] : [value];
}

/** The characters to read to keep `maxLength`: some may be blank or unstorable. */
export function reachOf(maxLength: number): number {
  return 2 * maxLength + 1_000;
}

/** A scalar as text that the database and JSON can store; empty for other values. Reads no further than `reach`. */
export function cleaned(value: unknown, reach: number): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  return value.slice(0, reach).replaceAll('\0', '').toWellFormed().trim();
}

/** A scalar as text that the database and JSON can store, shortened; empty for other values. */
export function textOf(value: unknown, maxLength: number): string {
  return shortened(cleaned(value, reachOf(maxLength)), maxLength);
}

/** The text, cut to `maxLength`. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** The text where it is short enough, else its beginning and its digest. */
export function identifierOf(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 65).toWellFormed()}#${sha256(text)}`;
}

/** The value as JSON with sorted keys, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries);
  });
}

/** The first value that is text. */
export function firstText(maxLength: number, ...values: unknown[]): string {
  for (const value of values) {
    const text = textOf(value, maxLength);
    if (text !== '') return text;
  }
  return '';
}

/** A number, which may be written as text, or null. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Tags that end a line. */
const lineEnds = new Set(['br', '/p', '/li', '/div']);
const tagName = /^\/?[a-z][a-z\d]{0,20}(?![a-z\d])/i;

/**
 * The text without its tags, some of which end a line. A bracket that opens no tag is text. Each bracket is read once, up
 * to the next one: the time is linear in the length.
 */
function withoutTags(html: string): string {
  let text = '';
  let from = 0;
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', open + 1)) {
    const next = html.indexOf('<', open + 1);
    const head = html.slice(open + 1, open + 24);
    const close = /^\/?[a-z]/i.test(head) ? html.slice(open, next < 0 ? undefined : next).indexOf('>') : -1;
    if (close < 0) continue;
    text += html.slice(from, open);
    if (lineEnds.has((tagName.exec(head)?.[0] ?? '').toLowerCase())) text += '\n';
    from = open + close + 1;
  }
  return text + html.slice(from);
}

function withoutBlankEnds(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * The text of HTML, which reports contain and other clients may not render. Entities need their semicolon: addresses
 * contain `&copy=1`.
 */
export function plainText(html: unknown, maxLength: number): string {
  if (typeof html !== 'string') return textOf(html, maxLength);
  const text = decodeHTMLStrict(withoutTags(html.slice(0, 4 * maxLength))).replaceAll('\u00a0', ' ');
  return textOf(withoutBlankEnds(text), maxLength);
}

/** Joins the parts that are not empty as paragraphs. */
export function paragraphs(parts: string[], maxLength: number): string {
  return shortened(parts.filter((part) => part !== '').join('\n\n'), maxLength);
}

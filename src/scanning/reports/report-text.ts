import { sha256 } from '../../common/crypto/digests.js';

export type Fields = Record<string, unknown>;

/** The value as an object, with nothing in it where it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as a list; a single thing where tools write no list for one. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return value === undefined || value === null ? [] : [value];
}

/** As text that the database and JSON can keep; empty for what is no scalar. */
export function textOf(value: unknown, maxLength: number): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  return shortened(value.replaceAll('\0', '').toWellFormed().trim(), maxLength);
}

/** The text, or its beginning where it is longer. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** The text where it is short enough, else its beginning and what tells it from others that begin alike. */
export function identifierOf(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 65).toWellFormed()}#${sha256(text)}`;
}

/** The first of the values that is text. */
export function firstText(maxLength: number, ...values: unknown[]): string {
  for (const value of values) {
    const text = textOf(value, maxLength);
    if (text !== '') return text;
  }
  return '';
}

/** A number that may be written as text, or null. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntity(entity: string, body: string): string {
  if (!body.startsWith('#')) return entities[body.toLowerCase()] ?? entity;
  const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** What HTML says, without its tags: reports hold it where people read it, and what they read it in may show no HTML. */
export function plainText(html: unknown, maxLength: number): string {
  if (typeof html !== 'string') return textOf(html, maxLength);
  const text = html
    .slice(0, 4 * maxLength)
    .replace(/<(?:br|\/p|\/li|\/div)\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{1,8});/gi, decodeEntity)
    .replace(/[ \t]*\n\s*/g, '\n');
  return textOf(text, maxLength);
}

/** Parts that hold something, as paragraphs. */
export function paragraphs(parts: string[], maxLength: number): string {
  return shortened(parts.filter((part) => part !== '').join('\n\n'), maxLength);
}

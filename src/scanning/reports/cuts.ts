import { sha256 } from '../../platform/crypto/digests.js';
import { cleaned, identifierOf, reachOf, shortened } from './report-text.js';

/** Shortens the texts and lists of one finding to our bounds, and records the cuts. */
export class Cuts {
  /** Created on the first cut: most findings have none. */
  private reasons: Set<string> | null = null;

  /** The value as text, shortened. */
  text(value: unknown, maxLength: number, what: string): string {
    return this.shortened(cleaned(value, reachOf(maxLength)), maxLength, what);
  }

  shortened(text: string, maxLength: number, what: string): string {
    if (text.length > maxLength) this.add(`${what} is cut after ${maxLength} characters`);
    return shortened(text, maxLength);
  }

  /** The value as code, in which leading blanks are indentation, shortened. */
  code(value: unknown, maxLength: number, what: string): string {
    if (typeof value !== 'string') return '';
    const begun = value.slice(0, reachOf(maxLength)).replaceAll('\0', '').toWellFormed();
    return begun.trim() === '' ? '' : this.shortened(begun, maxLength, what);
  }

  /** The first value that is text, shortened. */
  firstText(maxLength: number, what: string, ...values: unknown[]): string {
    return this.shortened(firstOf(values, reachOf(maxLength)).text, maxLength, what);
  }

  /** The first value that is text; if it is too long, its beginning and its digest. */
  firstIdentifier(maxLength: number, what: string, ...values: unknown[]): string {
    const { text, beyond } = firstOf(values, reachOf(maxLength));
    const whole = beyond === null ? text : `${text}#${sha256(beyond)}`;
    if (whole.length > maxLength) this.add(`${what} is longer than ${maxLength} characters`);
    return identifierOf(whole, maxLength);
  }

  /** The list, or its first `max` elements. */
  list<T>(list: T[], max: number, what: string): T[] {
    if (list.length <= max) return list;
    this.add(`only the first ${max} of ${list.length} ${what} are kept`);
    return list.slice(0, max);
  }

  /** Records a cut that was made elsewhere. */
  note(reason: string): void {
    this.add(reason);
  }

  /** The cuts, as a sentence; null for none. */
  get reason(): string | null {
    if (this.reasons === null) return null;
    const all = [...this.reasons].join('; ');
    return `${all.slice(0, 1).toUpperCase()}${all.slice(1)}`;
  }

  private add(reason: string): void {
    this.reasons ??= new Set();
    this.reasons.add(reason);
  }
}

/** The first value that is text, up to the reach; `beyond` is the whole text where it is longer. */
function firstOf(values: unknown[], reach: number): { text: string; beyond: string | null } {
  for (const value of values) {
    const text = cleaned(value, reach);
    if (text !== '') return { text, beyond: typeof value === 'string' && value.length > reach ? value : null };
  }
  return { text: '', beyond: null };
}

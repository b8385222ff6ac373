import { texts } from '../texts/texts.js';

export interface NumberBounds {
  /** The most digits after the point. */
  decimals?: number;
  min?: number;
  max?: number;
}

/** Numbers as people of a language write and read them. */
export class NumberTexts {
  readonly #group: string;
  readonly #point: string;

  constructor(locale: string) {
    const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(12345.6);
    this.#group = parts.find(({ type }) => type === 'group')?.value ?? '';
    this.#point = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  }

  /** A number as somebody wrote it, with point or comma; NaN if it is none, or its meaning is uncertain. */
  read(text: string): number {
    const plain = this.#plain(text);
    return plain === null ? Number.NaN : Number(plain);
  }

  /** The text with which a field begins. */
  write(value: number | null | undefined, decimals = 0): string {
    return value === null || value === undefined ? '' : value.toFixed(decimals).replace('.', this.#point);
  }

  /** Why a text is not such a number; an empty string if it is, or is empty. */
  fault(text: string, { decimals = 0, min, max }: NumberBounds): string {
    if (text.trim() === '') return '';
    const example = decimals > 0 ? this.write(19.99, 2) : '20';
    const plain = this.#plain(text);
    if (plain === null) return texts.parts.writeANumberSuchAs(example);
    if ((plain.split('.')[1] ?? '').length > decimals) {
      if (decimals === 0) return texts.parts.writeAWholeNumber;
      return texts.parts.writeAtMostDigitsAfter(decimals, example);
    }
    const bound = (value: number) => this.write(value, Number.isInteger(value) ? 0 : decimals);
    if (min !== undefined && Number(plain) < min) return texts.parts.itMustBeAtLeast(bound(min));
    if (max !== undefined && Number(plain) > max) return texts.parts.itCanBeAtMost(bound(max));
    return '';
  }

  /** Its digits with a point, without signs of currencies and groups; null if it is no number. */
  #plain(text: string): string | null {
    const bare = text.replace(/[\s\u00a0\u202f'’\p{Sc}]/gu, '').replace(/^[−–]/u, '-');
    const [, sign = '', digits = ''] = /^([+-]?)(\d[\d.,]*|[.,]\d+)$/.exec(bare) ?? [];
    const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
    if (digits === '' || last < 0) return digits === '' ? null : sign + digits;
    const isPoint = this.#isPoint(digits, last);
    const [whole, fraction] = isPoint ? [digits.slice(0, last), digits.slice(last + 1)] : [digits, ''];
    const [first = '', ...others] = whole.split(digits.charAt(last) === (isPoint ? '.' : ',') ? ',' : '.');
    const isGrouped = others.length === 0 || (/^\d{1,3}$/.test(first) && others.every((one) => /^\d{3}$/.test(one)));
    if (!isGrouped || /\D/.test(first + fraction)) return null;
    return `${sign}${[first, ...others].join('') || '0'}${fraction ? `.${fraction}` : ''}`;
  }

  /** Whether the last mark in a number stands before its fraction. One mark before three digits may separate thousands. */
  #isPoint(digits: string, last: number): boolean {
    const mark = digits.charAt(last);
    const isAlone = digits.indexOf(mark) === last;
    const isOfGroups = mark === this.#group && /^\d{1,3}[.,]\d{3}$/.test(digits);
    return isAlone && !isOfGroups;
  }
}

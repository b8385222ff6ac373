import { describe, expect, it } from '@jest/globals';
import { findExpressions, findSlowExpressions } from '../support/expressions.js';

const expressions = findExpressions();
const length = 30_000;
/** Expressions that took longer run on ten times the text: a linear one still ends in a moment, any other hangs. */
const suspiciousMs = 100;
/** At that length a square takes minutes. */
const hangMs = 20_000;

const pumps = [
  [
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    ' \n',
    '\u00a0',
    'a',
    'A',
    '0',
    '0a',
    'é',
    '\u{FFFD}',
    '\0',
    '%',
    '%20',
    '\\',
    "'",
    '"',
  ],
  [
    '<',
    '>',
    '</',
    '<!--',
    '&',
    '&amp',
    '=',
    '==',
    '/',
    '//',
    '/../',
    '-',
    '--',
    '_',
    '.',
    '..',
    'a.',
    '.a',
    ',',
    ', ',
    ';',
  ],
  [
    ':',
    '::',
    '@',
    'a@',
    '#',
    '?',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '{{',
    '$',
    '^',
    '|',
    '*',
    '+',
    '~',
    '`',
    '!',
    '\u001b[',
    'e1',
  ],
].flat();
const ends = ['', '\0'];

/** The words of an expression's own, which lead into its inner parts. */
function wordsOf(pattern: string): string[] {
  return [...new Set(pattern.match(/[a-z]{2,}/gi) ?? [])].slice(0, 20);
}

type TextOf = (length: number) => string;

function* textsFor(pattern: string): Generator<TextOf> {
  const words = wordsOf(pattern);
  for (const pump of [...pumps, ...words]) {
    for (const end of ends) yield (size) => Buffer.alloc(size, pump).toString() + end;
  }
  for (const word of words)
    for (const pump of [' ', 'a', '0', '-', '.']) yield (size) => word + pump.repeat(size) + '\0';
}

describe('the regular expressions of src', () => {
  it('are found', () => {
    expect(expressions.length).toBeGreaterThan(100);
  });

  it('are linear, as far as recheck can tell', async () => {
    expect(await findSlowExpressions(expressions)).toEqual([]);
  });

  it('do not hang on texts that go on and on', () => {
    const repeating = expressions.filter(({ pattern = '' }) => /[*+{]/.test(pattern));
    const distinct = new Map(repeating.map((one) => [`/${one.pattern}/${one.flags}`, one]));
    const slow: string[] = [];
    for (const { place, pattern = '', flags } of distinct.values()) {
      const expression = new RegExp(pattern, flags);
      for (const textOf of textsFor(pattern)) {
        const timeAt = (size: number) => timeOf(() => textOf(size).replace(expression, ''));
        if (timeAt(length) < suspiciousMs || timeAt(10 * length) < hangMs) continue;
        slow.push(`${place}: ${JSON.stringify(textOf(20))} and so on`);
        break;
      }
    }
    expect(slow).toEqual([]);
  });
});

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

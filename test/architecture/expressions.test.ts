import { describe, expect, it } from '@jest/globals';
import { findExpressions, findSlowExpressions } from '../support/expressions.js';

const expressions = findExpressions();
const length = 30_000;
/** What is linear takes less than a millisecond, and what is not takes this at least, however often it is run. */
const generousMs = 150;

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

function* textsFor(pattern: string): Generator<string> {
  const words = wordsOf(pattern);
  for (const pump of [...pumps, ...words]) {
    for (const end of ends) yield Buffer.alloc(length, pump).toString() + end;
  }
  for (const word of words) for (const pump of [' ', 'a', '0', '-', '.']) yield word + pump.repeat(length) + '\0';
}

describe('the regular expressions of src', () => {
  it('are found', () => {
    expect(expressions.length).toBeGreaterThan(100);
  });

  it('are linear, as far as recheck can tell', async () => {
    expect(await findSlowExpressions(expressions)).toEqual([]);
  });

  it('take little time on texts that go on and on', () => {
    const repeating = expressions.filter(({ pattern = '' }) => /[*+{]/.test(pattern));
    const distinct = new Map(repeating.map((one) => [`/${one.pattern}/${one.flags}`, one]));
    const slow: string[] = [];
    for (const { place, pattern = '', flags } of distinct.values()) {
      const expression = new RegExp(pattern, flags);
      for (const text of textsFor(pattern)) {
        // What once took long on a busy machine is run again.
        const tooSlow = [1, 2, 3].every(() => timeOf(() => text.replace(expression, '')) > generousMs);
        if (!tooSlow) continue;
        slow.push(`${place}: ${JSON.stringify(text.slice(0, 20))} and so on`);
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

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseText } from '../../../../src/platform/validation/parse-text.js';

const integer = { kind: 'integer' } as const;
const number = { kind: 'number' } as const;
const boolean = { kind: 'boolean' } as const;

describe('parseText of an integer', () => {
  it('reads every integer that a number holds exactly', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(parseText(String(value), integer)).toBe(value);
        expect(parseText(` ${value}.0 `, integer)).toBe(value);
      }),
    );
  });

  it('clamps larger ones to the largest that a number holds exactly', () => {
    expect(parseText('9223372036854775808', integer)).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseText(`-${'9'.repeat(500)}`, integer)).toBe(Number.MIN_SAFE_INTEGER);
  });

  it('returns no negative zero', () => {
    expect(parseText('-0', integer)).toBe(0);
  });

  it.each(['', ' ', 'x', '1.5', '1e3', '0x10', '1_000', '١', 'NaN', 'Infinity', '--1', '1 2', '\0'])(
    'refuses "%s"',
    (text) => {
      expect(parseText(text, integer)).toMatchObject({ type: 'int_parsing' });
    },
  );

  it.each([
    ['blanks', ' '.repeat(2_000_000)],
    ['digits', '1'.repeat(2_000_000)],
    ['decimals', `1.${'0'.repeat(2_000_000)}`],
  ])('refuses millions of %s within the time of a test', (_name, text) => {
    expect(parseText(`${text}x`, integer)).toMatchObject({ type: 'int_parsing' });
  });
});

describe('parseText of a number', () => {
  it('reads every finite number as JavaScript writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseText(String(value), number)).toBe(value + 0);
      }),
    );
  });

  it.each(['', 'x', 'NaN', 'Infinity', '0x10', '1,5', '.', 'e5', '1e', '1_0'])('refuses "%s"', (text) => {
    expect(parseText(text, number)).toMatchObject({ type: 'float_parsing' });
  });
});

describe('parseText of a boolean', () => {
  it.each(['true', 'TRUE', '1', 'yes', 'y', 'on', 't'])('reads %s as true', (text) => {
    expect(parseText(text, boolean)).toBe(true);
  });

  it.each(['false', 'False', '0', 'no', 'n', 'off', 'f'])('reads %s as false', (text) => {
    expect(parseText(text, boolean)).toBe(false);
  });

  it.each(['', '2', 'maybe', 'truee'])('refuses "%s"', (text) => {
    expect(parseText(text, boolean)).toMatchObject({ type: 'bool_parsing' });
  });
});

describe('parseText of a string', () => {
  it('leaves it as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseText(text, { kind: 'string' })).toBe(text);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { faultOf, isUuid } from '../../../../src/platform/validation/check-value.js';
import { textFault } from '../../../../src/platform/validation/fault.js';

function dateTimeFault(value: string): string | undefined {
  return faultOf(value, { kind: 'string', format: 'date-time' })?.type;
}

describe('textFault', () => {
  it('finds exactly the texts that UTF-8 without NUL cannot carry', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (text) => {
          const carried = Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\0');
          expect(textFault(text) === null).toBe(carried);
        },
      ),
    );
  });
});

describe('A length', () => {
  it('is counted in characters, as PostgreSQL counts it', () => {
    const spec = { kind: 'string', minLength: 2, maxLength: 3 } as const;
    expect(faultOf('😀😀😀', spec)).toBeNull();
    expect(faultOf('😀', spec)?.type).toBe('string_too_short');
    expect(faultOf('😀😀', { ...spec, minLength: 3 })?.type).toBe('string_too_short');
    expect(faultOf('😀😀😀😀', spec)?.type).toBe('string_too_long');
  });

  it('agrees with the number of code points, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(6), fc.nat(6), (text, minLength, maxLength) => {
        const length = Array.from(text).length;
        const type = faultOf(text.replaceAll('\0', '0'), { kind: 'string', minLength, maxLength })?.type;
        const expected = length < minLength ? 'string_too_short' : length > maxLength ? 'string_too_long' : undefined;
        expect(type).toBe(expected);
      }),
    );
  });
});

describe('A date and time', () => {
  it.each([
    '2030-01-31T12:00:00Z',
    '2030-01-31T12:00Z',
    '2030-01-31 12:00:00.123456+02:00',
    '2028-02-29t23:59:59z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])('accepts %s', (value) => {
    expect(dateTimeFault(value)).toBeUndefined();
  });

  it.each([
    '',
    'now',
    '2030-01-31',
    '2030-02-30T12:00:00Z',
    '2029-02-29T12:00:00Z',
    '2030-13-01T12:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T12:60:00Z',
    '2030-01-31T12:00:60Z',
    '2030-01-31T12:00:00+15:00',
    '2030-01-31T12:00:00+02:99',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+012030-01-31T12:00:00Z',
    '2030-01-31T12:00:00Z ',
  ])('refuses "%s"', (value) => {
    expect(dateTimeFault(value)).toBe('datetime_parsing');
  });

  it('requires a time zone', () => {
    expect(dateTimeFault('2030-01-31T12:00:00')).toBe('timezone_aware');
  });

  it('accepts every instant as JavaScript writes it', () => {
    const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(dateTimeFault(instant.toISOString())).toBeUndefined();
      }),
    );
  });
});

describe('A number with decimals', () => {
  const price = { kind: 'number', min: 0, max: 9_999_999.99, decimals: 2 } as const;

  it('accepts every amount of whole cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
        expect(faultOf(cents / 100, price)).toBeNull();
        expect(faultOf(Number((cents / 100).toFixed(2)), price)).toBeNull();
      }),
    );
  });

  it('refuses every amount with fractions of cents', () => {
    const tenths = fc.integer({ min: 0, max: 999_999_999 }).filter((n) => n % 10 !== 0);
    fc.assert(
      fc.property(tenths, (n) => {
        expect(faultOf(n / 1000, price)?.type).toBe('decimal_max_places');
      }),
    );
  });

  it.each([NaN, Infinity, -Infinity])('refuses %d', (value) => {
    expect(faultOf(value, price)?.type).toBe('finite_number');
  });
});

describe('isUuid', () => {
  it('accepts UUIDs of every version, in either case', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect([isUuid(uuid), isUuid(uuid.toUpperCase())]).toEqual([true, true]);
      }),
    );
  });

  it.each(['', 'x', '{00000000-0000-0000-0000-000000000000}', '00000000000000000000000000000000'])(
    'refuses "%s"',
    (text) => {
      expect(isUuid(text)).toBe(false);
    },
  );
});

describe('An enum', () => {
  it('lists its values when it refuses one', () => {
    expect(faultOf('pink', { kind: 'enum', values: ['red', 'green', 'blue'] })).toEqual({
      type: 'enum',
      msg: "Input should be 'red', 'green' or 'blue'",
      ctx: { expected: "'red', 'green' or 'blue'" },
    });
  });
});

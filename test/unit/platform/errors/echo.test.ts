import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { echoed } from '../../../../src/platform/errors/echo.js';
import { anyText } from '../../../support/any-text.js';

describe('What a refusal repeats', () => {
  it.each([null, true, 0, -1.5, '', 'text', [], {}, [1, 'a', null], { a: { b: [true] } }])(
    'is %j as it is',
    (value) => {
      expect(echoed(value)).toEqual(value);
    },
  );

  it.each([NaN, Infinity, 'a\0', '\ud800', undefined])('is nothing for %p', (value) => {
    expect(echoed(value)).toBeUndefined();
  });

  it('is only the beginning of a long value', () => {
    expect(echoed('😀'.repeat(300))).toBe(`${'😀'.repeat(200)}…`);
    expect(echoed([...Array(12).keys()])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, '…']);
    expect(echoed({ a: { b: { c: { d: { e: 1 } } } } })).toEqual({ a: { b: { c: { d: '…' } } } });
  });

  it("is never the value of a field with a secret's name", () => {
    const value = { password: 'p', apiKey: 'k', nested: [{ Authorization: 'a', authToken: 't', name: 'ada' }] };
    expect(echoed(value)).toEqual({
      password: '•••',
      apiKey: '•••',
      nested: [{ Authorization: '•••', authToken: '•••', name: 'ada' }],
    });
  });

  it('is short, valid JSON for any value', () => {
    const long = fc.tuple(anyText(), fc.nat(3_000)).map(([text, times]) => text + 'é'.repeat(times) + text);
    const few = fc.array(long, { maxLength: 15 });
    const value = fc.oneof(long, few, fc.dictionary(long, few, { maxKeys: 15 }), fc.jsonValue());
    fc.assert(
      fc.property(value, (given) => {
        const text = JSON.stringify(echoed(given)) ?? '';
        expect(text.length).toBeLessThan(8_000);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { jsonFault } from '../../../../src/platform/validation/check-json.js';

const bounds = { maxProperties: 4, maxEntries: 10, maxKeyLength: 5, maxTextLength: 6, maxDepth: 3, maxBytes: 20 };

function numbered(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, at]));
}

describe("An object of the caller's own", () => {
  it.each([
    ['nothing', {}],
    ['as many properties as it may', numbered(4)],
    ['as many entries', { a: [1, 2, 3, 4] }],
    ['the longest name and text', { aaaaa: 'bbbbbb' }],
    ['the deepest', { a: { b: [1] } }],
    ['the most in all', { a: numbered(4), b: numbered(4) }],
    ['the most bytes', { a: 'ééé', b: 'éé', c: 'ééé' }],
  ])('may hold %s', (_, value) => {
    expect(jsonFault(value, bounds)).toBeNull();
  });

  it.each([
    ['a property too many', numbered(5), 'too_long', 'Input should have at most 4 properties in each object'],
    ['an entry too many', { a: [1, 2, 3, 4, 5] }, 'too_long', 'Input should have at most 4 entries in each list'],
    ['too much in all', { a: numbered(4), b: numbered(4), c: 1 }, 'too_long', '10 properties and list entries in all'],
    ['too long a name', { aaaaaa: 1 }, 'string_too_long', 'The name of each property should have at most 5 characters'],
    ['too long a text', { a: ['bbbbbbb'] }, 'string_too_long', 'Each text should have at most 6 characters'],
    ['too much text', { a: 'ééé', b: 'ééé', c: 'ééé' }, 'too_long', '20 bytes of names and texts in all'],
    ['another level', { a: { b: [[]] } }, 'value_error', 'should lie at most 3 levels deep'],
    ['a NUL in a name', { 'a\0': 1 }, 'string_unicode', 'valid text'],
    ['half a character', { a: ['\ud800'] }, 'string_unicode', 'valid text'],
  ])('may not hold %s', (_, value, type, msg) => {
    expect(jsonFault(value, bounds)).toMatchObject({ type, msg: expect.stringContaining(msg) });
  });
});

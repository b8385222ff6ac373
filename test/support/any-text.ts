import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character of Unicode. Those of fast-check's `unit: 'binary'`, whose table takes each process a second to build. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((nth) => String.fromCodePoint(nth < surrogates.first ? nth : nth + surrogates.count));

/** Texts of any characters, often of those that have a meaning in ASCII. */
export const anyText = (bounds: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...bounds, unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), anyCharacter) });

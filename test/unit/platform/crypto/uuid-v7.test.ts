import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { timeOfUuidV7, uuidV7, uuidV7At } from '../../../../src/platform/crypto/uuid-v7.js';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('uuidV7', () => {
  it('ascends, also within a millisecond, and never repeats', () => {
    const ids = Array.from({ length: 20_000 }, uuidV7);
    expect(ids.every((id) => pattern.test(id))).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

describe('uuidV7At', () => {
  const time = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
  const count = fc.integer({ min: 0, max: 2 ** 26 - 1 });

  it('carries its time to the millisecond', () => {
    fc.assert(
      fc.property(time, count, (at, which) => {
        const id = uuidV7At(at, which);
        expect(id).toMatch(pattern);
        expect(timeOfUuidV7(id)).toEqual(at);
      }),
    );
  });

  it('orders ids of one moment by their count', () => {
    fc.assert(
      fc.property(time, count, count, (at, one, two) => {
        fc.pre(one !== two);
        expect(uuidV7At(at, one) < uuidV7At(at, two)).toBe(one < two);
      }),
    );
  });
});

describe('timeOfUuidV7', () => {
  it('returns null for another version', () => {
    expect(timeOfUuidV7('0b6c9a36-93b1-4f1c-9bb9-0e6f2a2f8a11')).toBeNull();
  });
});

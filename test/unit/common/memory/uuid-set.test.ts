import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../../src/common/crypto/uuid-v7.js';
import { UuidSet } from '../../../../src/common/memory/uuid-set.js';

const extremes = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const uuids = [...extremes, ...Array.from({ length: 3_000 }, (_, at) => (at % 2 === 0 ? randomUUID() : uuidV7()))];

function filled(): UuidSet {
  const set = new UuidSet();
  for (const uuid of [...uuids, ...uuids]) set.add(uuid);
  return set;
}

describe('A set of UUIDs', () => {
  it('holds each once, in the order in which they were added', () => {
    expect(filled().size).toBe(uuids.length);
    expect([...filled()]).toEqual(uuids);
  });

  it('knows those that it has', () => {
    const set = filled();
    expect(uuids.every((uuid) => set.has(uuid))).toBe(true);
    expect(set.has(randomUUID())).toBe(false);
    expect(set.has(extremes[1]?.toUpperCase() ?? '')).toBe(true);
    expect(new UuidSet().has(extremes[0] ?? '')).toBe(false);
  });

  it('returns the first ones', () => {
    expect(filled().first(3)).toEqual(uuids.slice(0, 3));
    expect(filled().first(0)).toEqual([]);
    expect(new UuidSet().first(3)).toEqual([]);
  });

  it('is written as PostgreSQL writes an array', () => {
    expect(filled().toArrayLiteral()).toBe(`{${uuids.join(',')}}`);
    expect(new UuidSet().toArrayLiteral()).toBe('{}');
  });
});

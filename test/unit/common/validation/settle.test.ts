import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
  UuidListField,
} from '../../../../src/common/validation/fields.js';
import { problemsIn } from '../../../../src/common/validation/read-shape.js';
import { fits, settled } from '../../../../src/common/validation/settle.js';

class Inner {
  @StringField({ minLength: 1, maxLength: 4 })
  name: string;
  @IntegerField({ optional: true, nullable: true, min: 0 })
  count?: number | null;
}

class Outer {
  @StringField({ optional: true, nullable: 'ignored' })
  title?: string;
  @EnumField(['A', 'B'], { default: 'A', nullable: 'ignored' })
  kind: string;
  @BooleanField({ optional: true })
  flag?: boolean;
  @JsonField({ optional: true, nullable: 'ignored' })
  free?: Record<string, unknown>;
  @UuidListField({ optional: true })
  ids?: string[];
  @ObjectField(() => Inner, { optional: true, nullable: 'ignored' })
  one?: Inner;
  @ArrayField(() => Inner, { default: [], nullable: 'ignored' })
  many: Inner[];
}

const anything = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
const inner = fc.record(
  {
    name: fc.oneof(fc.string({ minLength: 1, maxLength: 4 }), anything),
    count: fc.oneof(fc.nat(), fc.constant(null), anything),
  },
  { requiredKeys: [] },
);
const good = fc.constantFrom('name', 'x', 'A', 'B', null, true, 3);
const outer = fc.record(
  {
    title: fc.oneof(fc.string(), good, anything),
    kind: fc.oneof(good, anything),
    flag: fc.oneof(fc.boolean(), anything),
    free: fc.oneof(fc.dictionary(fc.constantFrom('a', 'constructor', '__proto__'), fc.jsonValue()), anything),
    ids: fc.oneof(fc.array(fc.uuid(), { maxLength: 3 }), anything),
    one: fc.oneof(inner, anything),
    many: fc.oneof(fc.array(fc.oneof(inner, anything), { maxLength: 3 }), anything),
    unknown: anything,
    constructor: anything,
  },
  { requiredKeys: [] },
);

describe('The quick walk over the fields', () => {
  it('finds that a value fits exactly where class-validator finds no problem', () => {
    let fitting = 0;
    fc.assert(
      fc.property(outer, (value) => {
        const fit = fits(value, Outer);
        if (fit) fitting++;
        expect(fit).toBe(problemsIn(Outer, value, 'body').length === 0);
      }),
      { numRuns: 3_000 },
    );
    expect(fitting).toBeGreaterThan(20);
  });

  it('keeps what the shape knows, fills in defaults and drops the nulls that count as left out', () => {
    fc.assert(
      fc.property(outer, (value) => {
        fc.pre(fits(value, Outer));
        const { title, kind, flag, free, ids, one, many } = value as Partial<Outer>;
        const expected = {
          title: title ?? undefined,
          kind: kind ?? 'A',
          flag,
          free: free ?? undefined,
          ids,
          one: one ?? undefined,
          many: many ?? [],
        };
        const within = ({ name, count }: Inner) => ({ name, count });
        expect(settled(value, Outer)).toEqual({
          ...expected,
          one: expected.one && within(expected.one),
          many: expected.many.map(within),
        });
      }),
      { numRuns: 3_000 },
    );
  });

  it('answers a default of its own each time', () => {
    const [first, second] = [settled({}, Outer), settled({}, Outer)];
    expect(first['many']).toEqual(second['many']);
    expect(first['many']).not.toBe(second['many']);
  });

  it.each([null, 7, 'x', [], undefined])('finds that %j does not fit', (value) => {
    expect(fits(value, Outer)).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/common/errors/invalid.js';
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
import { readQuickly } from '../../../../src/common/validation/read-quickly.js';
import { readShape } from '../../../../src/common/validation/read-shape.js';

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

function outcomeOf(read: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(read()));
  } catch (error) {
    if (error instanceof Invalid) return error.problems;
    throw error;
  }
}

describe('readQuickly', () => {
  it('answers and refuses as readShape does', () => {
    let taken = 0;
    fc.assert(
      fc.property(outer, (value) => {
        const quick = outcomeOf(() => readQuickly(Outer, value));
        if (!Array.isArray(quick)) taken++;
        expect(quick).toEqual(outcomeOf(() => readShape(Outer, value, 'body')));
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  it.each([null, 7, 'x', [], undefined])('refuses %j as readShape does', (value) => {
    expect(outcomeOf(() => readQuickly(Outer, value))).toEqual(outcomeOf(() => readShape(Outer, value, 'body')));
  });
});

import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { Contains, IsHexColor } from 'class-validator';
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
} from '../../../../src/platform/validation/fields.js';
import { Invalid, type ValidationProblem } from '../../../../src/platform/errors/invalid.js';
import { isUuid } from '../../../../src/platform/validation/check-value.js';
import { DtoValidationPipe } from '../../../../src/platform/validation/dto-validation.pipe.js';
import { maxFaults } from '../../../../src/platform/validation/problems.js';
import { takenStrictly } from '../../../../src/platform/validation/strict.js';
import { validated } from '../../../../src/platform/validation/validated.js';

class Inner {
  @StringField({ minLength: 1, maxLength: 4 })
  name: string;
  @IntegerField({ optional: true, nullable: true, min: 0 })
  count?: number | null;
}

class Outer {
  @StringField({ optional: true, nullable: 'ignored', maxLength: 50 })
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
  @ArrayField(() => Inner, { maxItems: 100, default: [], nullable: 'ignored' })
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

const validInner = fc.record(
  { name: fc.constantFrom('x', 'four', '😀'), count: fc.constantFrom(0, 7, null) },
  { requiredKeys: ['name'] },
);
const validOuter = fc.record(
  {
    title: fc.constantFrom('x', null),
    kind: fc.constantFrom('A', 'B', null),
    flag: fc.boolean(),
    free: fc.oneof(fc.constant(null), fc.dictionary(fc.constantFrom('a', 'constructor', '__proto__'), fc.nat())),
    ids: fc.array(fc.uuid(), { maxLength: 3 }),
    one: fc.option(validInner),
    many: fc.option(fc.array(validInner, { maxLength: 3 })),
    unknown: anything,
    constructor: anything,
  },
  { requiredKeys: [] },
);

interface Read {
  value: Outer | null;
  problems: ValidationProblem[];
}

function read(value: unknown, strict = false): Read {
  try {
    return { value: validated(Outer, value, 'body', { strict }), problems: [] };
  } catch (error) {
    if (error instanceof Invalid) return { value: null, problems: error.problems };
    throw error;
  }
}

function faults(value: unknown, strict = false): string[] {
  return read(value, strict).problems.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, most: number, least = 0): boolean {
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false;
  const { length } = Array.from(value);
  return length >= least && length <= most;
}

function isInner(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, count } = value;
  const counts = count === undefined || count === null || (Number.isInteger(count) && Number(count) >= 0);
  return isText(name, 4, 1) && counts;
}

/** Whether a value is an Outer, checked independently of the specs. */
function isOuter(value: Record<string, unknown>): boolean {
  const own = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);
  const { title, kind, flag, free, ids, one, many } = Object.fromEntries(
    ['title', 'kind', 'flag', 'free', 'ids', 'one', 'many'].map((name) => [name, own(name)]),
  );
  const absent = (given: unknown) => given === undefined || given === null;
  const hasText = (given: unknown): boolean =>
    isObject(given) || Array.isArray(given)
      ? Object.entries(given).every(([key, entry]) => isText(key, Infinity) && hasText(entry))
      : typeof given !== 'string' || isText(given, Infinity);
  return [
    absent(title) || isText(title, 50),
    absent(kind) || kind === 'A' || kind === 'B',
    flag === undefined || typeof flag === 'boolean',
    absent(free) || (isObject(free) && hasText(free)),
    ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === 'string' && isUuid(id))),
    absent(one) || isInner(one),
    absent(many) || (Array.isArray(many) && many.every(isInner)),
  ].every(Boolean);
}

describe('Reading a DTO', () => {
  it('accepts exactly the values that match it', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(outer, validOuter), (value) => {
        const { problems } = read(value);
        if (problems.length === 0) taken++;
        expect(problems.length === 0).toBe(isOuter(value));
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  it('keeps the fields of the DTO, fills in defaults and drops nulls that count as missing', () => {
    fc.assert(
      fc.property(validOuter, (given) => {
        const { value } = read(given);
        const { title, kind, flag, free, ids, one, many } = given as unknown as Partial<Outer>;
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
        expect(value).toEqual({
          ...expected,
          one: expected.one && within(expected.one),
          many: expected.many.map(within),
        });
      }),
      { numRuns: 500 },
    );
  });

  it('returns a new default each time', () => {
    const [first, second] = [read({}).value, read({}).value];
    expect(first?.many).toEqual(second?.many);
    expect(first?.many).not.toBe(second?.many);
  });

  it.each([null, 7, 'x', [], undefined])('refuses %j', (value) => {
    expect(read(value).problems).toHaveLength(1);
  });

  it('throws an internal error for a DTO that forgets a bound', () => {
    class Forgetful {
      @ArrayField(() => Inner, { default: [] })
      many: Inner[];
    }
    const reading = () => validated(Forgetful, {}, 'body');
    expect(reading).toThrow('Forgetful.many is read from requests and has no maxItems');
    expect(reading).toThrow('Forgetful.many');
  });
});

describe('What is wrong many times', () => {
  it('is reported fifty times at most', () => {
    const wrong = Array.from({ length: 100 }, () => ({ name: '', count: -1 }));
    expect(faults({ many: wrong })).toHaveLength(maxFaults);
    expect(faults({ many: wrong }).slice(0, 3)).toEqual([
      'body.many.0.name string_too_short',
      'body.many.0.count greater_than_equal',
      'body.many.1.name string_too_short',
    ]);
  });

  it('is a single fault for a list that is too long, whose entries are not checked', () => {
    const many: object[] = Array.from({ length: 101 }, () => ({}));
    many[50] = {
      get name(): string {
        throw new Error('read an entry');
      },
    };
    expect(faults({ many })).toEqual(['body.many too_long']);
  });

  it('yields a refusal of at most 100 kB, whatever was sent', () => {
    const long = 'x'.repeat(10_000);
    const deep = { [long]: Array.from({ length: 50 }, () => ({ [long]: long, more: [long, [long]] })) };
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${long}${at}`, deep]));
    for (const value of [{ many: Array.from({ length: 100 }, () => deep) }, unknown, { ...unknown, many: [deep] }]) {
      const { problems } = read(value, true);
      expect(problems.length).toBeGreaterThan(2);
      expect(JSON.stringify(problems).length).toBeLessThan(100_000);
    }
  });
});

describe('Strict reading', () => {
  it('refuses unknown fields at any depth, and suggests near names', () => {
    const value = { titel: 'x', one: { name: 'x', Count: 1, zzz: 1 }, many: [{ name: 'x', nam: 1 }] };
    expect(faults(value, true)).toEqual([
      'body.one.Count extra_forbidden',
      'body.one.zzz extra_forbidden',
      'body.many.0.nam extra_forbidden',
      'body.titel extra_forbidden',
    ]);
    expect(read(value, true).problems.map(({ msg }) => msg)).toEqual([
      'Extra inputs are not permitted: did you mean "count"?',
      'Extra inputs are not permitted: there are name, count',
      'Extra inputs are not permitted: did you mean "name"?',
      'Extra inputs are not permitted: did you mean "title"?',
    ]);
  });

  it('refuses the names that every object inherits', () => {
    const value = JSON.parse('{"__proto__": {}, "constructor": 1, "toString": 2}') as object;
    expect(faults(value, true)).toEqual(
      ['__proto__', 'constructor', 'toString'].map((name) => `body.${name} extra_forbidden`),
    );
  });

  it('leaves free objects to the caller', () => {
    expect(faults({ free: { any: { thing: 1 } } }, true)).toEqual([]);
  });
});

class StrictOuter extends Outer {}

@Controller()
class Bodies {
  @Post()
  take(@Body() _body: StrictOuter): void {}
}
@Module({ controllers: [Bodies] })
class StrictModule {}
takenStrictly([StrictModule]);

describe('What reaches no pipe', () => {
  const pipe = new DtoValidationPipe();
  const outcome = async (work: () => unknown): Promise<unknown> => {
    try {
      return JSON.stringify(await work());
    } catch (error) {
      if (error instanceof Invalid) return error.problems;
      throw error;
    }
  };

  it.each([
    ['ignored', Outer, false],
    ['refused', StrictOuter, true],
  ])('is read and refused as by the pipe where unknown fields are %s', async (_, dto, strict) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(outer, validOuter, anything), async (value) => {
        const byPipe = await outcome(() => pipe.transform(structuredClone(value), { type: 'body', metatype: dto }));
        expect(await outcome(() => validated<Outer>(dto, value, 'body', { strict }))).toEqual(byPipe);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is checked by the decorators of class-validator that stand beside ours', async () => {
    class Noted {
      @StringField({ maxLength: 20 })
      @Contains('x', { message: 'Write an x' })
      text: string;
      @Expose()
      @IsHexColor({ message: 'Choose a color' })
      color: string;
    }
    const value = { text: 'abc', color: 'blue', other: 1 };
    const problems = [
      { loc: ['body', 'text'], type: 'value_error', msg: 'Write an x', input: 'abc' },
      { loc: ['body', 'color'], type: 'value_error', msg: 'Choose a color', input: 'blue' },
    ];
    expect(await outcome(() => validated(Noted, value, 'body'))).toEqual(problems);
    expect(await outcome(() => pipe.transform(value, { type: 'body', metatype: Noted }))).toEqual(problems);
    const sound = { text: 'x', color: '#00f' };
    expect(validated(Noted, sound, 'body', { strict: true })).toEqual(sound);
  });
});

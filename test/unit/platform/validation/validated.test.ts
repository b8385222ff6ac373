import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Invalid, type ValidationProblem } from '../../../../src/platform/errors/invalid.js';
import { AdminPaging, Paging } from '../../../../src/platform/http/paging.js';
import { ListField, StringField } from '../../../../src/platform/validation/fields.js';
import { validated } from '../../../../src/platform/validation/validated.js';
import { Everything } from './everything.dto.js';
import { anyText } from '../../../support/any-text.js';

const defaults = { count: 1, flag: false, numbers: [] };

function read(value: unknown): Everything {
  return validated(Everything, value, 'body');
}

/** The instance's own fields. */
function fieldsOf(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value));
}

function page(query: Record<string, unknown>): Paging {
  return validated(Paging, query, 'query');
}

function problemsOf(work: () => unknown): ValidationProblem[] {
  try {
    work();
  } catch (error) {
    if (error instanceof Invalid) return error.problems;
    throw error;
  }
  return [];
}

function faultsOf(value: unknown): string[] {
  return problemsOf(() => read(value)).map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

class Words {
  @ListField({ kind: 'string', maxLength: 20 }, { maxItems: 10, default: [] })
  words: string[];
}

class Blanks {
  @StringField({ optional: true, nullable: true, blank: 'none', maxLength: 4 })
  maybe?: string | null;
  @StringField({ default: 'same', blank: 'none', maxLength: 4 })
  usual: string;
  @StringField({ optional: true, nullable: 'ignored', blank: 'none', maxLength: 4 })
  kept?: string;
  @StringField({ optional: true, trimmed: true, maxLength: 4, pattern: /^[a-z]+$/ })
  code?: string;
  @StringField({ optional: true, maxLength: 4 })
  plain?: string;
}

describe('validated of texts with blanks', () => {
  const readBlanks = (value: object) => fieldsOf(validated(Blanks, value, 'body'));

  it.each(['', ' ', '\t\n\u00a0', ' '.repeat(10_000)])('reads %j as absent if blanks mean absent', (blank) => {
    expect(readBlanks({ maybe: blank, usual: blank, kept: blank })).toStrictEqual({ maybe: null, usual: 'same' });
  });

  it('trims the blanks around a code before checking it', () => {
    expect(readBlanks({ code: '  code\n' })).toMatchObject({ code: 'code' });
    expect(problemsOf(() => readBlanks({ code: ' co de' }))).toMatchObject([{ loc: ['body', 'code'] }]);
  });

  it('keeps all other texts unchanged', () => {
    expect(readBlanks({ maybe: ' a ', plain: '  ' })).toMatchObject({ maybe: ' a ', plain: '  ' });
  });
});

describe('validated of a body', () => {
  it('fills in defaults and omits what is missing', () => {
    expect(fieldsOf(read({ name: 'Ada' }))).toStrictEqual({ name: 'Ada', ...defaults });
  });

  it('reads nested DTOs too, and drops unknown fields', () => {
    const value = read({ name: 'Ada', address: { city: 'Rome', x: 1 }, lines: [{ product_id: 3, x: 1 }], x: 1 });
    expect(value.address).toEqual({ city: 'Rome', country: 'United States' });
    expect(value.lines).toEqual([expect.not.objectContaining({ x: 1 })]);
    expect(value).not.toHaveProperty('x');
  });

  it('never returns the same default object twice', () => {
    read({ name: 'Ada' }).numbers.push(1);
    expect(read({ name: 'Ada' }).numbers).toEqual([]);
  });

  it('ignores unknown fields, whatever they are called', () => {
    const hostile = JSON.parse(
      '{"name":"Ada","__proto__":{"flag":true},"constructor":{"prototype":{}},"toString":1,"x":2}',
    ) as object;
    expect(fieldsOf(read(hostile))).toStrictEqual({ name: 'Ada', ...defaults });
    expect({}).not.toHaveProperty('flag');
  });

  it('keeps null if null is a value, and drops it if it counts as missing', () => {
    const value = read({
      name: 'Ada',
      code: null,
      color: null,
      address: null,
      lines: [{ product_id: 1, quantity: null }],
    });
    expect(value).toMatchObject({ code: null, color: null, address: null });
    expect(fieldsOf(value.lines?.[0] ?? {})).toStrictEqual({ product_id: 1 });
  });

  it.each([-1, 2_147_483_648, 2 ** 63, 1e308, -(2 ** 40)])('reads the id %d, which no column has, as 0', (id) => {
    expect(read({ name: 'Ada', id }).id).toBe(0);
  });

  it('keeps the inside of free JSON unchanged', () => {
    const anything = JSON.parse('{"constructor":5,"then":1,"deep":[{"constructor":{"prototype":null}}]}') as object;
    expect(read({ name: 'Ada', anything }).anything).toEqual(anything);
  });

  it.each([
    [undefined, 'body missing'],
    [null, 'body missing'],
    ['text', 'body model_attributes_type'],
    [5, 'body model_attributes_type'],
    [[], 'body model_attributes_type'],
    [[{ name: 'Ada' }], 'body model_attributes_type'],
  ])('refuses the body %j', (body, fault) => {
    expect(faultsOf(body)).toEqual([fault]);
  });

  it.each([
    [{ name: undefined }, 'body.name missing'],
    [{ name: null }, 'body.name string_type'],
    [{ name: { constructor: 5 } }, 'body.name string_type'],
    [{ name: '' }, 'body.name string_too_short'],
    [{ name: 'n'.repeat(11) }, 'body.name string_too_long'],
    [{ name: 'a\0' }, 'body.name string_unicode'],
    [{ name: '\udc00' }, 'body.name string_unicode'],
    [{ code: 'abc' }, 'body.code string_pattern_mismatch'],
    [{ email: 'nobody' }, 'body.email value_error'],
    [{ uuid: 'x' }, 'body.uuid uuid_parsing'],
    [{ uuid: 5 }, 'body.uuid uuid_type'],
    [{ at: 'tomorrow' }, 'body.at datetime_parsing'],
    [{ at: 5 }, 'body.at datetime_type'],
    [{ count: '1' }, 'body.count int_type'],
    [{ count: true }, 'body.count int_type'],
    [{ count: 1.5 }, 'body.count int_from_float'],
    [{ count: Infinity }, 'body.count finite_number'],
    [{ count: 6 }, 'body.count less_than_equal'],
    [{ count: -6 }, 'body.count greater_than_equal'],
    [{ percent: 0 }, 'body.percent greater_than'],
    [{ percent: 0.001 }, 'body.percent decimal_max_places'],
    [{ percent: '5' }, 'body.percent float_type'],
    [{ id: 1.5 }, 'body.id int_from_float'],
    [{ id: '5' }, 'body.id int_type'],
    [{ flag: 'true' }, 'body.flag bool_type'],
    [{ flag: 1 }, 'body.flag bool_type'],
    [{ color: 'Red' }, 'body.color enum'],
    [{ address: 'Rome' }, 'body.address model_attributes_type'],
    [{ address: [] }, 'body.address model_attributes_type'],
    [{ address: {} }, 'body.address.city missing'],
    [{ address: { city: { constructor: 1 } } }, 'body.address.city string_type'],
    [{ lines: {} }, 'body.lines list_type'],
    [{ lines: [1] }, 'body.lines.0 model_attributes_type'],
    [{ lines: [null] }, 'body.lines.0 model_attributes_type'],
    [{ lines: [[]] }, 'body.lines.0 model_attributes_type'],
    [{ lines: [{ product_id: 1 }, { product_id: 'x' }] }, 'body.lines.1.product_id int_type'],
    [{ letters: 'a' }, 'body.letters list_type'],
    [{ letters: ['a', 'c'] }, 'body.letters.1 enum'],
    [{ letters: ['a', 'a', 'a', 'a'] }, 'body.letters too_long'],
    [{ numbers: [{ constructor: 5 }] }, 'body.numbers.0 int_type'],
    [{ anything: [] }, 'body.anything dict_type'],
    [{ anything: { deep: ['\0'] } }, 'body.anything string_unicode'],
  ])('refuses %j', (wrong, fault) => {
    expect(faultsOf({ name: 'Ada', ...wrong })).toEqual([fault]);
  });

  it('reports every fault at once', () => {
    expect(faultsOf({ count: 'x', flag: 1, address: { city: 1, country: 2 } })).toEqual([
      'body.name missing',
      'body.count int_type',
      'body.flag bool_type',
      'body.address.city string_type',
      'body.address.country string_type',
    ]);
  });

  it('echoes what was sent, shortened, but no secret and nothing that is not text', () => {
    const inputs = problemsOf(() =>
      read({ name: '😀'.repeat(300), password: 'secret', code: 'a\0', count: true, address: 'x', percent: Infinity }),
    ).map(({ loc, input }) => [loc.at(-1), input]);
    expect(inputs).toEqual([
      ['name', `${'😀'.repeat(200)}…`],
      ['password', undefined],
      ['code', undefined],
      ['count', true],
      ['percent', undefined],
      ['address', 'x'],
    ]);
  });

  it('accepts any JSON value, or refuses it as invalid with a place for every fault', () => {
    const value = fc.oneof(fc.jsonValue(), fc.record(recordOf(fc.jsonValue()), { requiredKeys: [] }));
    fc.assert(
      fc.property(value, (body) => {
        for (const { loc, msg, type } of problemsOf(() => read(body))) {
          expect([loc[0], typeof msg, typeof type]).toEqual(['body', 'string', 'string']);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads its own result unchanged', () => {
    const valid = fc.record(
      {
        name: fc.string({ minLength: 1, maxLength: 5 }).filter((text) => !text.includes('\0')),
        code: fc.constantFrom('ABC', null),
        count: fc.integer({ min: -5, max: 5 }),
        percent: fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100),
        flag: fc.boolean(),
        address: fc.option(fc.record({ city: fc.constant('Rome') })),
        lines: fc.array(fc.record({ product_id: fc.integer({ min: 0 }), quantity: fc.constantFrom(1, null) })),
        numbers: fc.array(fc.nat()),
      },
      { requiredKeys: ['name'] },
    );
    fc.assert(
      fc.property(valid, (body) => {
        const once = read(body);
        expect(read(JSON.parse(JSON.stringify(once)))).toEqual(once);
      }),
    );
  });
});

function recordOf<T>(value: fc.Arbitrary<T>): Record<string, fc.Arbitrary<T>> {
  const names = ['name', 'count', 'percent', 'id', 'address', 'lines', 'letters', 'numbers', 'anything', 'at', 'uuid'];
  return Object.fromEntries(names.map((name) => [name, value]));
}

describe('validated of a query', () => {
  it('parses texts and fills in defaults', () => {
    expect(fieldsOf(page({}))).toEqual({ skip: 0, limit: 10 });
    expect(fieldsOf(page({ skip: ' 7 ', limit: '+20.0' }))).toEqual({ skip: 7, limit: 20 });
  });

  it('takes the last of a repeated value', () => {
    expect(page({ skip: ['1', '2'] }).skip).toBe(2);
  });

  it('reports every fault at once, of unparsable texts and of bounds', () => {
    const problems = problemsOf(() => page({ skip: '', limit: '0' }));
    expect(problems.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([
      'query.skip int_parsing',
      'query.limit greater_than_equal',
    ]);
  });

  it('does not take inherited names for values', () => {
    expect(fieldsOf(page(Object.create({ skip: '5' }) as Record<string, unknown>))).toEqual({ skip: 0, limit: 10 });
  });

  it('reads comma-separated lists, repeated values and both', () => {
    const query = { name: 'x', letters: ['a,b', ' b '], numbers: '1,,2' };
    expect(validated(Everything, query, 'query')).toMatchObject({ letters: ['a', 'b', 'b'], numbers: [1, 2] });
  });

  it('takes a comma behind a backslash for a part of its value', () => {
    const query = { words: ['java\\,sql,xss', 'a\\,b\\,c', 'd:\\e'] };
    expect(validated(Words, query, 'query').words).toEqual(['java,sql', 'xss', 'a,b,c', 'd:\\e']);
  });

  it('moves clamped values within their bounds, for any integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (skip, limit) => {
        const paging = validated(AdminPaging, { skip: String(skip), limit: String(limit) }, 'query');
        expect(paging.skip).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(paging.skip)).toBe(true);
        expect(paging.limit).toBe(limit < 0n ? 0 : limit > 1000n ? 1000 : Number(limit));
      }),
    );
  });

  it('accepts any texts, or refuses them as invalid', () => {
    const texts = fc.oneof(anyText(), fc.constantFrom('1', '-0', '1e400', 'NaN', '%ff', 'true'));
    const query = fc.dictionary(
      fc.constantFrom(...Object.keys(recordOf(texts)), 'flag'),
      fc.oneof(texts, fc.array(texts)),
    );
    fc.assert(
      fc.property(query, (values) => {
        for (const { loc } of problemsOf(() => validated(Everything, values, 'query'))) expect(loc[0]).toBe('query');
      }),
      { numRuns: 500 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { jsonHits } from '../../../../src/scanning/reports/json-hits.js';
import type { JsonHit, JsonSelection } from '../../../../src/scanning/reports/json-selector.js';
import { bytesOfReport } from '../../../support/reports.js';

async function hitsIn(json: string | Buffer, selection: JsonSelection | string[], pieceBytes = 7): Promise<JsonHit[]> {
  const all: JsonHit[] = [];
  const chosen = Array.isArray(selection) ? { paths: selection } : selection;
  for await (const hits of jsonHits(bytesOfReport(json, pieceBytes)(), chosen)) all.push(...hits);
  return all;
}

async function valuesIn(json: string, selection: JsonSelection | string[]): Promise<unknown[]> {
  return (await hitsIn(json, selection)).flatMap((hit) => (hit.kind === 'value' ? [hit.value] : []));
}

describe('jsonHits', () => {
  it('finds the elements of a nested array and their paths', async () => {
    const hits = await hitsIn('{"runs":[{"results":[1,{"a":2}]},{"results":[[3]]}]}', ['runs[].results[]']);
    expect(hits.filter(({ kind }) => kind === 'value')).toEqual([
      { path: 'runs[].results[]', at: ['runs', 0, 'results', 0], kind: 'value', value: 1, fault: null },
      { path: 'runs[].results[]', at: ['runs', 0, 'results', 1], kind: 'value', value: { a: 2 }, fault: null },
      { path: 'runs[].results[]', at: ['runs', 1, 'results', 0], kind: 'value', value: [3], fault: null },
    ]);
  });

  it('reports the containers on the path, even empty ones', async () => {
    expect(await hitsIn('{"runs":[]}', ['runs[].results[]'])).toEqual([
      { path: '', at: [], kind: 'object' },
      { path: 'runs', at: ['runs'], kind: 'array' },
    ]);
  });

  it('distinguishes an object from an array on the same path', async () => {
    const [, site] = await hitsIn('{"site":{"alerts":[{"a":1}]}}', ['site[].alerts[]', 'site.alerts[]']);
    expect(site).toEqual({ path: 'site', at: ['site'], kind: 'object' });
    expect(await valuesIn('{"site":{"alerts":[{"a":1}]}}', ['site[].alerts[]', 'site.alerts[]'])).toEqual([{ a: 1 }]);
  });

  it('does not mistake a key for the elements of an array', async () => {
    expect(await valuesIn('{"site":{"[]":{"alerts":[1]}}}', ['site[].alerts[]'])).toEqual([]);
  });

  it('omits keys at any depth', async () => {
    const json = '{"a":{"big":[[1,2],{"x":{}}],"b":{"big":1,"c":2}}}';
    expect(await valuesIn(json, { paths: ['a'], leftOut: new Set(['big']) })).toEqual([{ b: { c: 2 } }]);
  });

  it('does not affect the prototype of its results', async () => {
    const [value] = await valuesIn('{"a":{"__proto__":{"polluted":true},"b":1}}', ['a']);
    expect(value).toEqual({ b: 1 });
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('builds what JSON.parse builds, however the text is cut', async () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const key = fc.string().filter((name) => name !== '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value')), fc.dictionary(key, tie('value'))),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(value), fc.integer({ min: 1, max: 40 }), async (list, pieceBytes) => {
        const text = JSON.stringify({ before: list, list, after: [list] });
        const hits = await hitsIn(text, ['list[]'], pieceBytes);
        const built = hits.flatMap((hit) => (hit.kind === 'value' ? [hit.value] : []));
        expect(JSON.stringify(built)).toBe(JSON.stringify((JSON.parse(text) as { list: unknown[] }).list));
      }),
    );
  });

  it('marks a value that is too large to build, and continues after it', async () => {
    const many = `[${'0,'.repeat(200_100)}0]`;
    const hits = await hitsIn(`{"list":[${many},{"a":1}]}`, ['list[]'], 64 * 1024);
    expect(hits.filter(({ kind }) => kind === 'value')).toMatchObject([
      { value: null, fault: 'is too large' },
      { value: { a: 1 }, fault: null },
    ]);
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,2',
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '{"a":1 "b":2}',
    '[1 2]',
    '[1}',
    '{"a":1]',
    ']',
    '{}{}',
    '{} 1',
    'nope',
    '[NaN]',
    '["\u0001"]',
    '"open',
    '[1,2]]',
  ])('refuses invalid JSON: %j', async (text) => {
    await expect(hitsIn(text, ['a'])).rejects.toBeInstanceOf(Invalid);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  it('marks a value that is nested too deep, and continues after it', async () => {
    for (const levels of [60, 62, 64, 70, 5_000]) {
      const deep = `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
      const hits = await hitsIn(`{"list":[${deep},{"a":1}]}`, ['list[]']);
      const values = hits.filter(({ kind }) => kind === 'value');
      // The document and the list are two levels themselves.
      const fault = levels > 62 ? 'is nested deeper than 64 levels' : null;
      expect(values).toMatchObject([{ fault }, { value: { a: 1 }, fault: null }]);
    }
  });

  it('skips endless nesting outside the paths', async () => {
    const levels = 200_000;
    const deep = `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`;
    const hits = await hitsIn(`{"other":${deep},"list":[1]}`, ['list[]'], 64 * 1024);
    expect(hits.at(-1)).toMatchObject({ path: 'list[]', value: 1, fault: null });
  });

  it.each(['[[{"a":1]]]', '[[{"a":1},}]', '[{"a" 1}]', '[[1 2]]', '[{"a":1,}]'])(
    'refuses invalid JSON at any depth: %j',
    async (text) => {
      const nested = `${'['.repeat(80)}${text}${']'.repeat(80)}`;
      await expect(hitsIn(`{"list":${nested}}`, ['list'])).rejects.toBeInstanceOf(Invalid);
      expect(() => JSON.parse(nested) as unknown).toThrow();
    },
  );

  it('reports a scalar in the middle of a path, but not null', async () => {
    expect(await hitsIn('{"runs":[5,null,{"results":"x"}]}', ['runs[].results[]'])).toMatchObject([
      { path: '', kind: 'object' },
      { path: 'runs', kind: 'array' },
      { path: 'runs[]', at: ['runs', 0], kind: 'scalar' },
      { path: 'runs[]', at: ['runs', 2], kind: 'object' },
      { path: 'runs[].results', kind: 'scalar' },
    ]);
  });

  it('builds the objects of a list as JSON.parse does, however they are written and cut', async () => {
    const leftOut = new Set(['big']);
    const text = fc.oneof(fc.string(), fc.constantFrom('},', '"', '\\', '\u{1f600}', ']}'));
    const fields = fc.dictionary(
      fc.oneof(
        fc.constantFrom('a', 'big'),
        fc.string().filter((name) => name !== '__proto__'),
      ),
      fc.oneof(text, fc.integer(), fc.array(text), fc.dictionary(fc.constantFrom('big', 'b'), text)),
    );
    const withoutBig = (_key: string, value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).filter(([key]) => !leftOut.has(key)));
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: fields }, { weight: 1, arbitrary: fc.integer() })),
        fc.constantFrom(undefined, 2, '\t'),
        fc.integer({ min: 1, max: 300 }),
        async (list, indent, pieceBytes) => {
          const json = JSON.stringify({ list, after: [{ big: 1 }] }, null, indent);
          const hits = await hitsIn(json, { paths: ['list[]', 'after[]'], leftOut }, pieceBytes);
          const built = hits.flatMap((hit) => (hit.kind === 'value' ? [[hit.at, hit.value]] : []));
          const wanted = [...list.map((one, at) => [['list', at], one]), [['after', 0], {}]];
          expect(JSON.stringify(built)).toBe(JSON.stringify(wanted, withoutBig));
        },
      ),
    );
  });

  it.each(['{"a":1]', '{"a" 1}', '{"a":1}{"a":1}', '{"a":1},', ',{"a":1}', '{"a":1} 2', '{"a":"\t"}'])(
    'refuses a list that is no JSON: %j',
    async (elements) => {
      for (const pieceBytes of [3, 1_000]) {
        await expect(hitsIn(`{"list":[${elements}]}`, ['list[]'], pieceBytes)).rejects.toBeInstanceOf(Invalid);
      }
    },
  );

  it('marks an object that is nested too deep among others', async () => {
    const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;
    const hits = await hitsIn(`{"list":[{"b":1},${deep},{"c":1}]}`, ['list[]'], 1_000);
    expect(hits.filter(({ kind }) => kind === 'value')).toMatchObject([
      { value: { b: 1 } },
      { value: null, fault: 'is nested deeper than 64 levels' },
      { value: { c: 1 } },
    ]);
  });

  it('skips the elements of a list that another pass checks', async () => {
    const json = '{"list":[{"a":1},2,[3],{"b":{"c":[1]}}],"after":[1]}';
    for (const pieceBytes of [3, 1_000]) {
      expect(await hitsIn(json, { paths: ['after[]'], passed: ['list[]'] }, pieceBytes)).toMatchObject([
        { path: '', kind: 'object' },
        { path: 'list', kind: 'array' },
        { path: 'after', kind: 'array' },
        { path: 'after[]', value: 1 },
      ]);
    }
  });

  it('names the byte at which the report is broken', async () => {
    await expect(hitsIn('{"a": [1, 2, oops]}', ['a'])).rejects.toThrow(/see byte 1\d/);
  });
});

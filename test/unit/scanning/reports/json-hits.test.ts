import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/common/errors/invalid.js';
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
  it('finds the elements of a nested array and says where they are', async () => {
    const hits = await hitsIn('{"runs":[{"results":[1,{"a":2}]},{"results":[[3]]}]}', ['runs[].results[]']);
    expect(hits.filter(({ kind }) => kind === 'value')).toEqual([
      { path: 'runs[].results[]', at: ['runs', 0, 'results', 0], kind: 'value', value: 1, tooLarge: false },
      { path: 'runs[].results[]', at: ['runs', 0, 'results', 1], kind: 'value', value: { a: 2 }, tooLarge: false },
      { path: 'runs[].results[]', at: ['runs', 1, 'results', 0], kind: 'value', value: [3], tooLarge: false },
    ]);
  });

  it('tells the containers on the way, empty ones too', async () => {
    expect(await hitsIn('{"runs":[]}', ['runs[].results[]'])).toEqual([
      { path: '', at: [], kind: 'object' },
      { path: 'runs', at: ['runs'], kind: 'array' },
    ]);
  });

  it('tells an object from an array on the same path', async () => {
    const [, site] = await hitsIn('{"site":{"alerts":[{"a":1}]}}', ['site[].alerts[]', 'site.alerts[]']);
    expect(site).toEqual({ path: 'site', at: ['site'], kind: 'object' });
    expect(await valuesIn('{"site":{"alerts":[{"a":1}]}}', ['site[].alerts[]', 'site.alerts[]'])).toEqual([{ a: 1 }]);
  });

  it('takes no key for the elements of an array', async () => {
    expect(await valuesIn('{"site":{"[]":{"alerts":[1]}}}', ['site[].alerts[]'])).toEqual([]);
  });

  it('leaves keys out wherever they stand', async () => {
    const json = '{"a":{"big":[[1,2],{"x":{}}],"b":{"big":1,"c":2}}}';
    expect(await valuesIn(json, { paths: ['a'], leftOut: new Set(['big']) })).toEqual([{ b: { c: 2 } }]);
  });

  it('leaves the prototype of what it builds alone', async () => {
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

  it('marks a value that is too large to build, and goes on behind it', async () => {
    const many = `[${'0,'.repeat(200_100)}0]`;
    const hits = await hitsIn(`{"list":[${many},{"a":1}]}`, ['list[]'], 64 * 1024);
    expect(hits.filter(({ kind }) => kind === 'value')).toMatchObject([
      { value: null, tooLarge: true },
      { value: { a: 1 }, tooLarge: false },
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
  ])('refuses %j, which is no JSON', async (text) => {
    await expect(hitsIn(text, ['a'])).rejects.toBeInstanceOf(Invalid);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  it('refuses what is nested without end, wherever it stands', async () => {
    const deep = `{"skipped":${'['.repeat(100_000)}`;
    await expect(hitsIn(deep, ['runs'], 64 * 1024)).rejects.toThrow('nested deeper than 64 levels');
    await expect(hitsIn(`{"runs":${'['.repeat(100_000)}`, ['runs'], 64 * 1024)).rejects.toThrow(
      'nested deeper than 64 levels',
    );
  });

  it('says at which byte the report is broken', async () => {
    await expect(hitsIn('{"a": [1, 2, oops]}', ['a'])).rejects.toThrow(/see byte 1\d/);
  });
});

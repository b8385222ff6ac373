import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../../src/platform/errors/invalid.js';
import { type JsonHit, JsonReader, type JsonSelection } from '../../../../../src/scanning/reports/json/index.js';
import { bytesOfReport } from '../../../../support/reports.js';

async function hitsIn(json: string | Buffer, selection: JsonSelection | string[], pieceBytes = 7): Promise<JsonHit[]> {
  const all: JsonHit[] = [];
  const chosen = Array.isArray(selection) ? { paths: selection } : selection;
  for await (const hits of new JsonReader(chosen).read(bytesOfReport(json, pieceBytes)())) all.push(...hits);
  return all;
}

async function valuesIn(json: string, selection: JsonSelection | string[]): Promise<unknown[]> {
  return (await hitsIn(json, selection)).flatMap((hit) => (hit.kind === 'value' ? [hit.value] : []));
}

describe('JsonReader', () => {
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

  it('does not affect the prototype of its results', async () => {
    const [value] = await valuesIn('{"a":{"__proto__":{"polluted":true},"b":1}}', ['a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('builds what JSON.parse builds, however the text is cut', async () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
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

  it('reads the elements of a list as JSON.parse does, however they are written and cut', async () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('},', '"', '\\', '\u{1f600}', ']}', '__proto__'));
    const fields = fc.dictionary(text, fc.oneof(text, fc.double(), fc.array(text), fc.dictionary(text, text)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: fields }, { weight: 1, arbitrary: fc.integer() })),
        fc.constantFrom(undefined, 2, '\t'),
        fc.integer({ min: 1, max: 300 }),
        async (list, indent, pieceBytes) => {
          const json = JSON.stringify({ list, after: [{ big: 1 }] }, null, indent);
          const hits = await hitsIn(json, ['list[]', 'after[]'], pieceBytes);
          const read = hits.flatMap((hit) => (hit.kind === 'value' ? [[hit.at, hit.value]] : []));
          const wanted = [...list.map((one, at) => [['list', at], one]), [['after', 0], { big: 1 }]];
          expect(JSON.stringify(read)).toBe(JSON.stringify(wanted));
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

  it('counts the values on a path without reading them', async () => {
    const json = '{"list":[{"a":1},2,[3],null,{"b":{"c":[1]}}],"after":[1]}';
    for (const pieceBytes of [3, 1_000]) {
      const reader = new JsonReader({ paths: ['after[]'], counted: 'list[]' });
      const all: JsonHit[] = [];
      for await (const hits of reader.read(bytesOfReport(json, pieceBytes)())) all.push(...hits);
      expect(reader.counted).toBe(5);
      expect(all).toMatchObject([
        { path: '', kind: 'object' },
        { path: 'list', kind: 'array' },
        { path: 'after', kind: 'array' },
        { path: 'after[]', value: 1 },
      ]);
    }
  });

  it('accepts and refuses what JSON.parse does, outside the paths too', async () => {
    const signs =
      String.raw`{ } [ ] , : / " "a" "\ \n u00 4F {"a": "b":[ - 0 12 . .5 e E+3 true false null nul n`.split(' ');
    const piece = fc.constantFrom(...signs, ' ', '\n', '\u0001', '\u{1f600}', '\ufeff');
    const changed = fc.jsonValue({ maxDepth: 3 }).chain((value) => {
      const json = JSON.stringify(value);
      return fc
        .tuple(fc.nat(json.length), fc.nat(2), fc.constantFrom('', '"', ',', ']', '}', '0', '\\', '\t', 'e'))
        .map(([at, length, more]) => json.slice(0, at) + more + json.slice(at + length));
    });
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const text = fc.oneof(
      changed,
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (any, pieceBytes) => {
        for (const paths of [['none'], ['x']]) {
          const document = `{"x":${any}}`;
          const read = hitsIn(document, paths, pieceBytes);
          if (isJson(document)) await expect(read).resolves.toBeDefined();
          else await expect(read).rejects.toBeInstanceOf(Invalid);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not read a value of more than 16 MiB, and continues after it', async () => {
    const text = 'x'.repeat(17 * 2 ** 20);
    const hits = await hitsIn(`{"list":["${text}",{"a":"${text}"},1],"${text}":2}`, ['list[]'], 64 * 1024);
    expect(hits.filter(({ kind }) => kind === 'value')).toMatchObject([
      { value: null, fault: 'is too large' },
      { value: null, fault: 'is too large' },
      { value: 1, fault: null },
    ]);
  });

  it.each([
    ['a number without end', `[${'1'.repeat(2_001)}`, 'a number of more than 2000 characters'],
    ['nesting without end', '['.repeat(1_000_001), 'nested deeper than 1000000 levels'],
  ])('refuses %s at once', async (_, json, sentence) => {
    await expect(hitsIn(json, ['a'], 64 * 1024)).rejects.toThrow(sentence);
  });

  it.each([
    ['{"a": [1, 2, oops]}', 14],
    ['{"a": [1, 02]}', 11],
    ['{"a":1}}', 8],
    ['{"a":"\\x"}', 8],
    ['{"ä":1,,}', 9],
    ['hello', 1],
  ])('names the byte at which %j is broken', async (json, byte) => {
    for (const pieceBytes of [1, 3, 1_000]) {
      await expect(hitsIn(json, ['a'], pieceBytes)).rejects.toThrow(new RegExp(`see byte ${byte}$`));
    }
  });
});

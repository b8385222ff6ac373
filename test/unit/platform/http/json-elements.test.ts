import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ArraySplitter } from '../../../../src/platform/http/element-splitters.js';
import { jsonElements, type JsonElementsFormat } from '../../../../src/platform/http/json-elements.js';

const limit = 1_000;

/** Reads `bytes`, cut at the given places. */
async function read(bytes: Buffer, format: JsonElementsFormat, cuts: number[] = []): Promise<unknown[]> {
  async function* pieces(): AsyncGenerator<Buffer> {
    const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, two) => one - two), bytes.length];
    for (let at = 1; at < places.length; at++) yield bytes.subarray(places[at - 1], places[at]);
  }
  const all: unknown[] = [];
  for await (const elements of jsonElements(pieces(), format, limit)) all.push(...elements);
  return all;
}

const json = fc
  .jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  .filter((value) => JSON.stringify(value).length < limit / 2);
const lists = fc.array(json, { maxLength: 12 });
const cuts = fc.array(fc.nat(), { maxLength: 8 });
const spaces = fc.constantFrom('', ' ', '\n', '\r\n\t ');

describe('jsonElements', () => {
  it('reads every array as JSON.parse does, wherever its pieces are cut', async () => {
    await fc.assert(
      fc.asyncProperty(lists, cuts, spaces, async (values, where, space) => {
        const text = `${space}[${values.map((value) => space + JSON.stringify(value) + space).join(',')}${space}]${space}`;
        const expected = (JSON.parse(text) as unknown[]).map((value, index) => ({ index, value }));
        expect(await read(Buffer.from(text), 'array', where)).toEqual(expected);
      }),
    );
  });

  it('reads lines, wherever their pieces are cut, and counts blank ones', async () => {
    await fc.assert(
      fc.asyncProperty(lists, cuts, fc.constantFrom('\n', '\r\n', '\n \n'), async (values, where, end) => {
        const text = values.map((value) => JSON.stringify(value) + end).join('');
        const step = end === '\n \n' ? 2 : 1;
        const expected = values.map((value, at) => ({
          index: at * step,
          value: JSON.parse(JSON.stringify(value)) as unknown,
        }));
        expect(await read(Buffer.from(text), 'lines', where)).toEqual(expected);
      }),
    );
  });

  it('accepts the arrays that JSON.parse accepts, and nothing else', async () => {
    const token = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '1', 'true', '"a"', ' ', 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 12 }), cuts, async (tokens, where) => {
        const text = `[${tokens.join('')}`;
        let expected: unknown = 'refused';
        try {
          expected = (JSON.parse(text) as unknown[]).map((value, index) => ({ index, value }));
        } catch {
          // JSON.parse refuses it, and so must the splitter.
        }
        expect(await read(Buffer.from(text), 'array', where).catch(() => 'refused')).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['array', 'lines'] as const)('refuses an element beyond the limit while it arrives (%s)', async (format) => {
    const bytes = Buffer.from(`["${'x'.repeat(2 * limit)}`);
    await expect(read(bytes, format, [500, 1_200])).rejects.toMatchObject({ kind: 'payload_too_large' });
  });

  it('reads millions of blank lines within the time of a test', async () => {
    const bytes = Buffer.alloc(20 * 2 ** 20, '\n');
    const places = Array.from({ length: 300 }, (_, at) => at * 65_536);
    expect(await read(bytes, 'lines', places)).toEqual([]);
  });
});

describe('A lenient ArraySplitter', () => {
  function split(text: string, pieceBytes: number): string[] {
    const splitter = new ArraySplitter({ name: 'report', lenient: true });
    const bytes = Buffer.from(text);
    const found: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes)
      found.push(...splitter.push(bytes.subarray(at, at + pieceBytes)));
    return [...found, ...splitter.end()].map(String);
  }

  it.each([
    ['[]', []],
    ['[,,]', []],
    ['[{"a":[1]} {"b":"],"}]', ['{"a":[1]}', '{"b":"],"}']],
    ['[{}{}[]"x""y"1,true false]', ['{}', '{}', '[]', '"x"', '"y"', '1', 'true', 'false']],
    ['[1"a"{}],\n', ['1', '"a"', '{}']],
    ['[oops} ]', ['oops}']],
    ['["a\\"]" , {}]', ['"a\\"]"', '{}']],
  ])('splits %j', (text, elements) => {
    for (const pieceBytes of [1, 2, 3, 100]) expect(split(text, pieceBytes)).toEqual(elements);
  });

  it('finds the elements of any array, whatever stands between them', () => {
    const separator = fc.constantFrom(',', '\n', ' ,, ', ',\r\n\t');
    fc.assert(
      fc.property(lists, separator, fc.integer({ min: 1, max: 30 }), (values, between, pieceBytes) => {
        const texts = values.map((value) => JSON.stringify(value));
        expect(split(`[${texts.join(between)}]`, pieceBytes)).toEqual(texts);
      }),
    );
  });

  it.each(['[', '[{}', '["a', '[1'])('refuses %j, which ends too early', (text) => {
    expect(() => split(text, 1)).toThrow('ends too early');
  });

  it('refuses what follows the array', () => {
    expect(() => split('[] x', 1)).toThrow('there is more after the array');
  });
});

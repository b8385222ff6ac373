import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { de } from '../src/texts/de.js';
import { en } from '../src/texts/en.js';

const styles = readFileSync('packages/console/src/fonts/inter.css', 'utf8');

/** The characters that a font of the styles is for. */
function rangeOf(font: string): Set<number> {
  const [, ranges = ''] = new RegExp(`${font}\\.woff2[^}]*unicode-range:([^;]+);`).exec(styles) ?? [];
  const spans = [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = '', to = from]) => {
    const [first, last] = [parseInt(from, 16), parseInt(to, 16)];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return new Set(spans.flat());
}

const saidIn = (catalog: object): string =>
  Object.values(catalog)
    .map((value: unknown) => {
      if (typeof value === 'function') return String((value as (...of: number[]) => unknown)(2, 2, 2, 2));
      return typeof value === 'object' && value !== null ? saidIn(value) : String(value);
    })
    .join('');

describe('The fonts of the console', () => {
  it('are what fonts.mjs makes of Inter', async () => {
    const run = promisify(execFile)(process.execPath, ['packages/console/fonts.mjs', '--check']);
    await expect(run).resolves.toMatchObject({ stderr: '' });
  });

  it('write each letter of both languages with the one that every page loads, and share none', () => {
    const usual = new Set([...rangeOf('inter'), ...rangeOf('inter-figures')]);
    const letters = [...new Set(saidIn({ en, de }))].filter((one) => /[\p{L}\p{N}\p{P}]/u.test(one));
    expect(letters.length).toBeGreaterThan(70);
    expect(letters.filter((one) => !usual.has(one.codePointAt(0) ?? 0))).toEqual([]);
    const others = [rangeOf('inter-latin-1'), rangeOf('inter-latin-extended')];
    expect(others.map((range) => range.has('é'.codePointAt(0) ?? 0) || range.has('ł'.codePointAt(0) ?? 0))).toEqual([
      true,
      true,
    ]);
    const all = [usual, ...others].flatMap((range) => [...range]);
    expect(all.length).toBe(new Set(all).size);
  });
});

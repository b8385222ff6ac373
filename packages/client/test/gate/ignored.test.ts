import { describe, expect, it } from '@jest/globals';
import { IgnoredIssues } from '../../src/gate/ignored.js';

const isIgnored = (entry: { path?: string; asset?: string }, place: string | null, assetName = 'shop'): boolean =>
  new IgnoredIssues([{ reason: 'Known', ...entry } as never]).of({ rule: 'r', place, assetName }) !== undefined;

describe('A path of the policy', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['./src/a.ts', 'src/a.ts', true],
    ['/src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src/a.ts', 'lib/src/a.ts', false],
    ['src', 'src/deep/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['src', 'srcs/a.ts', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/*/a.ts', 'src/deep/a.ts', true],
    ['**/a.ts', 'a.ts', true],
    ['**/a.ts', 'src/deep/a.ts', true],
    ['src/**/a.ts', 'src/a.ts', true],
    ['src/**/a.ts', 'src/one/two/a.ts', true],
    ['src/**/a.ts', 'lib/one/a.ts', false],
    ['**/test/**/*.spec.*', 'a/test/b/c/d.spec.ts', true],
    ['**/test/**/*.spec.*', 'a/tests/b/c/d.spec.ts', false],
    ['a.c', 'abc', false],
    ['a(b)+[c]', 'a(b)+[c]', true],
  ])('%s takes %s: %s', (path, place, taken) => {
    expect(isIgnored({ path }, place)).toBe(taken);
  });

  it('takes no issue without a place', () => {
    expect(isIgnored({ path: '**' }, null)).toBe(false);
  });

  it('is compared in bounded time, whatever it is', () => {
    expect(isIgnored({ path: `${'*a'.repeat(40)}b` }, 'a'.repeat(2_000))).toBe(false);
    expect(isIgnored({ path: `${'**/a/'.repeat(40)}b` }, 'a/'.repeat(1_000))).toBe(false);
  });
});

describe('An asset of the policy', () => {
  it.each([
    ['shop', 'shop', true],
    ['shop', 'shops', false],
    ['*.example.com/*', 'a.example.com/b/c', true],
    ['https://*', 'http://a', false],
  ])('%s takes %s: %s', (asset, name, taken) => {
    expect(isIgnored({ asset }, null, name)).toBe(taken);
  });
});

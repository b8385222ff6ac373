import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SourceLines, sourceLink } from '../../../../src/scanning/issues/source-link.js';
import { anyText } from '../../../support/any-text.js';

const newest = { commit: null, branch: null };
const at = (path: string, startLine: number | null = null, endLine: number | null = null): SourceLines => ({
  path,
  startLine,
  endLine,
});

describe('The address of lines', () => {
  it.each([
    ['GitHub', 'https://github.com/acme/shop', 'https://github.com/acme/shop/blob/HEAD/src/a.ts#L10-L12'],
    ['GitLab', 'https://gitlab.com/acme/web/shop', 'https://gitlab.com/acme/web/shop/-/blob/HEAD/src/a.ts#L10-12'],
    ['an own GitLab', 'https://gitlab.acme.example/a/b', 'https://gitlab.acme.example/a/b/-/blob/HEAD/src/a.ts#L10-12'],
    ['Bitbucket', 'https://bitbucket.org/acme/shop', 'https://bitbucket.org/acme/shop/src/HEAD/src/a.ts#lines-10:12'],
    [
      'Azure DevOps',
      'https://dev.azure.com/acme/web/_git/shop',
      'https://dev.azure.com/acme/web/_git/shop?path=%2Fsrc%2Fa.ts&line=10&lineEnd=13&lineStartColumn=1&lineEndColumn=1',
    ],
  ])('is known for %s', (_host, sourceUrl, link) => {
    expect(sourceLink(sourceUrl, newest, at('src/a.ts', 10, 12))).toBe(link);
  });

  it.each([
    ['a host that is not known', 'https://code.example/acme/shop', 'src/a.ts'],
    ['a host that only looks like one', 'https://notgithub.com/acme/shop', 'src/a.ts'],
    ['a repository that is not read over https', 'http://github.com/acme/shop', 'src/a.ts'],
    ['an address with a password', 'https://ada:secret@github.com/acme/shop', 'src/a.ts'],
    ['what is no address', 'acme/shop', 'src/a.ts'],
    ['a path from the root of a disk', 'https://github.com/acme/shop', '/home/ci/a.ts'],
    ['a path of Windows', 'https://github.com/acme/shop', 'C:\\work\\a.ts'],
    ['a path above the repository', 'https://github.com/acme/shop', 'src/../../a.ts'],
    ['an address in place of a path', 'https://github.com/acme/shop', 'file:///a.ts'],
    ['an empty path', 'https://github.com/acme/shop', './'],
  ])('is none for %s', (_what, sourceUrl, path) => {
    expect(sourceLink(sourceUrl, newest, at(path, 1))).toBeNull();
  });

  it('is of the commit, or else of the branch, that the scan looked at', () => {
    const of = (commit: string | null, branch: string | null, host = 'https://github.com/acme/shop') =>
      sourceLink(host, { commit, branch }, at('a.ts', 3));
    expect(of('c0ffee', 'main')).toBe('https://github.com/acme/shop/blob/c0ffee/a.ts#L3');
    expect(of(null, 'fix/naïve #1')).toBe('https://github.com/acme/shop/blob/fix/na%C3%AFve%20%231/a.ts#L3');
    const azure = 'https://dev.azure.com/acme/web/_git/shop';
    expect(of('c0ffee', null, azure)).toContain('version=GCc0ffee');
    expect(of(null, 'a b', azure)).toContain('version=GBa%20b');
  });

  it('leaves out the lines that a report does not name, and the end of the name of a clone', () => {
    expect(sourceLink('https://github.com/acme/shop.git/', newest, at('./a b.ts'))).toBe(
      'https://github.com/acme/shop/blob/HEAD/a%20b.ts',
    );
    expect(sourceLink('https://github.com/acme/shop', newest, at('a.ts', 5, 5))).toMatch(/#L5$/);
  });

  it('stays in the repository, whatever the path and the branch', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (path, branch) => {
        const link = sourceLink('https://github.com/acme/shop', { commit: null, branch }, at(path, 1));
        if (link === null) return;
        const { origin, pathname, search, hash } = new URL(link);
        expect([origin, search, hash]).toEqual(['https://github.com', '', '#L1']);
        expect(pathname.startsWith('/acme/shop/blob/')).toBe(true);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { readWhole } from '../../../support/reports.js';

type Json = Record<string, unknown>;

async function findingOf(
  result: Json,
  run: Json = {},
): Promise<Awaited<ReturnType<typeof readWhole>>['findings'][number]> {
  const tool = { driver: { name: 'Lint' } };
  const versionControlProvenance = [{ repositoryUri: 'https://code.example/acme/shop' }];
  const { findings } = await readWhole({
    version: '2.1.0',
    runs: [{ tool, versionControlProvenance, results: [{ message: { text: 'm' }, ...result }], ...run }],
  });
  const [finding] = findings;
  if (!finding) throw new Error('There is no finding');
  return finding;
}

const at = (artifactLocation: Json, more: Json = {}): Json => ({ physicalLocation: { artifactLocation, ...more } });

async function pathOf(artifactLocation: Json, run: Json = {}): Promise<string | undefined> {
  const { targets } = await findingOf({ locations: [at(artifactLocation)] }, run);
  return targets[0]?.codeFile?.path;
}

describe('readSarif: files', () => {
  it.each([
    ['a relative path', { uri: 'src/a.c' }, 'src/a.c'],
    ['one that starts here', { uri: './src/a.c' }, 'src/a.c'],
    ['encoded characters', { uri: 'src/a%20b%C3%A9.c' }, 'src/a bé.c'],
    ['a broken encoding', { uri: 'src/100%.c' }, 'src/100%.c'],
    ['an encoding that is broken in part', { uri: 'a%20b/100%/%C3%A9%ff.c' }, 'a b/100%/%C3%A9%ff.c'],
    ['blanks', { uri: 'src/a b.c' }, 'src/a b.c'],
    ['an absolute address with blanks', { uri: 'file:///home/ada/my shop/a.c' }, 'home/ada/my shop/a.c'],
    ['the same, encoded', { uri: 'file:///home/ada/my%20shop/a.c' }, 'home/ada/my shop/a.c'],
    ['an address of this machine', { uri: 'file://localhost/home/ada/a.c' }, 'home/ada/a.c'],
    ['one without an authority', { uri: 'FILE:/home/ada/a.c' }, 'home/ada/a.c'],
    ['backslashes', { uri: 'src\\win\\a.cs' }, 'src/win/a.cs'],
    ['an absolute address', { uri: 'file:///home/ada/shop/a.c' }, 'home/ada/shop/a.c'],
    ['an absolute address with a drive', { uri: 'file:///C:/code/a.c' }, 'c:/code/a.c'],
    ['an absolute path', { uri: '/home/ada/a.c' }, 'home/ada/a.c'],
    ['another scheme', { uri: 'pkg:npm/left-pad@1.0.0' }, 'pkg:npm/left-pad@1.0.0'],
  ])('reads %s', async (_, location, path) => {
    expect(await pathOf(location)).toBe(path);
  });

  it('makes an absolute address relative to its outermost base', async () => {
    const originalUriBaseIds = { SUB: { uri: 'file:///home/ada/shop/src/' }, ROOT: { uri: 'file:///home/ada/shop/' } };
    expect(await pathOf({ uri: 'file:///home/ada/shop/src/a.c' }, { originalUriBaseIds })).toBe('src/a.c');
    expect(await pathOf({ uri: 'file:///home/ada/shopping/a.c' }, { originalUriBaseIds })).toBe(
      'home/ada/shopping/a.c',
    );
  });

  it.each([
    ['file:///home/ada/my shop/', 'file:///home/ada/my%20shop/src/a.c'],
    ['file:///home/ada/my%20shop', 'file:///home/ada/my shop/src/a.c'],
    ['file:///home/ada/my%20shop/', 'file:///home/ada/my%20shop/src/a.c'],
  ])('finds the base %s of %s however the two are spelled', async (base, uri) => {
    expect(await pathOf({ uri }, { originalUriBaseIds: { ROOT: { uri: base } } })).toBe('src/a.c');
  });

  it('resolves a relative path through its bases up to the absolute one', async () => {
    const originalUriBaseIds = {
      GENERATED: { uri: 'gen', uriBaseId: 'OUT' },
      OUT: { uri: 'out/', uriBaseId: 'SRCROOT' },
      SRCROOT: { uri: 'file:///home/ada/shop/' },
    };
    expect(await pathOf({ uri: 'a.c', uriBaseId: 'GENERATED' }, { originalUriBaseIds })).toBe('out/gen/a.c');
    expect(await pathOf({ uri: 'a.c', uriBaseId: 'SRCROOT' }, { originalUriBaseIds })).toBe('a.c');
    expect(await pathOf({ uri: 'a.c', uriBaseId: '%SRCROOT%' }, {})).toBe('a.c');
  });

  it('survives bases that refer to each other', async () => {
    const originalUriBaseIds = { A: { uri: 'a/', uriBaseId: 'B' }, B: { uri: 'b/', uriBaseId: 'A' } };
    expect(await pathOf({ uri: 'x.c', uriBaseId: 'A' }, { originalUriBaseIds })).toMatch(/a\/x\.c$/);
  });

  it("finds a file's address among the run's artifacts", async () => {
    const artifacts = [{ location: { uri: 'no.c' } }, { location: { uri: 'yes.c' }, sourceLanguage: 'c++' }];
    const { targets } = await findingOf({ locations: [at({ index: 1 })] }, { artifacts });
    expect(targets).toEqual([{ targetUid: 'yes.c', codeFile: { language: 'c++', path: 'yes.c' } }]);
  });

  it.each([
    ['its region', at({ uri: 'a.txt' }, { region: { sourceLanguage: 'pascal' } }), {}, 'pascal'],
    ['its name', at({ uri: 'src/a.ts' }), { defaultSourceLanguage: 'c' }, 'typescript'],
    ['the run', at({ uri: 'README' }), { defaultSourceLanguage: 'c' }, 'c'],
    ['nothing', at({ uri: 'README.constructor' }), {}, ''],
  ])('finds the language by %s', async (_, location, run, language) => {
    expect((await findingOf({ locations: [location] }, run)).targets[0]?.codeFile?.language).toBe(language);
  });

  it('are one target each, however often they are named', async () => {
    const locations = [
      at({ uri: 'a.c' }, { region: { startLine: 1 } }),
      at({ uri: 'b.c' }),
      at({ uri: 'a.c' }, { region: { startLine: 9 } }),
    ];
    expect((await findingOf({ locations })).targets).toEqual([
      { targetUid: 'a.c', codeFile: { language: 'c', path: 'a.c', line: 1 } },
      { targetUid: 'b.c', codeFile: { language: 'c', path: 'b.c' } },
    ]);
  });

  it.each([0, -1, 1.5, 2 ** 31, 'x', null])('have no line if a report says %p', async (startLine) => {
    const { targets } = await findingOf({ locations: [at({ uri: 'a.c' }, { region: { startLine } })] });
    expect(targets).toEqual([{ targetUid: 'a.c', codeFile: { language: 'c', path: 'a.c' } }]);
  });

  it('falls back on the logical location if there is no file', async () => {
    const locations = [{ logicalLocations: [{ name: 'pay', fullyQualifiedName: 'shop.Cart.pay' }] }];
    expect((await findingOf({ locations })).targets).toEqual([
      { targetUid: 'shop.Cart.pay', codeFile: { language: '', path: 'shop.Cart.pay' } },
    ]);
  });

  it('falls back on the analysis target', async () => {
    expect((await findingOf({ analysisTarget: { uri: 'app.dll' } })).targets[0]?.targetUid).toBe('app.dll');
  });

  it.each([
    [{}],
    [{ locations: [] }],
    [{ locations: null }],
    [{ locations: [{}, null, 5] }],
    [{ locations: [at({})] }],
  ])('has no target for %j', async (result) => {
    expect((await findingOf(result)).targets).toEqual([]);
  });

  it('ignores related locations', async () => {
    expect((await findingOf({ relatedLocations: [at({ uri: 'other.c' })] })).targets).toEqual([]);
  });
});

describe('readSarif: pages', () => {
  it('creates targets and asset from web addresses', async () => {
    const page = at({ uri: 'https://Shop.example:8443/login?next=1' });
    const { asset, targets } = await findingOf({ locations: [page, page] });
    expect(targets).toEqual([
      {
        targetUid: 'https://Shop.example:8443/login?next=1',
        webPage: { url: 'https://Shop.example:8443/login?next=1', visits: 2 },
      },
    ]);
    expect(asset).toMatchObject({
      name: 'https://shop.example:8443',
      class: 'FRONTEND',
      type: 'WEBAPP',
      frontend: { url: 'https://shop.example:8443', tls: true },
    });
  });

  it('reads a path below a web base as a file', async () => {
    const run = { originalUriBaseIds: { SRCROOT: { uri: 'https://code.example/acme/shop/' } } };
    expect((await findingOf({ locations: [at({ uri: 'a.c', uriBaseId: 'SRCROOT' })] }, run)).asset.class).toBe(
      'CODE_PROJECT',
    );
  });

  it('tells long URLs apart', async () => {
    const uri = `https://shop.example/${'a'.repeat(2_000)}`;
    const { targets } = await findingOf({ locations: [at({ uri: `${uri}1` }), at({ uri: `${uri}2` })] });
    expect(targets.length).toBe(2);
    expect(targets.every(({ targetUid }) => targetUid.length <= 1_024)).toBe(true);
  });
});

describe('readSarif: projects', () => {
  it.each([
    [
      'the repository',
      {
        versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/shop' }],
        automationDetails: { id: 'x/' },
      },
      'https://code.example/acme/shop',
    ],
    [
      'the repository without its user',
      { versionControlProvenance: [{ repositoryUri: 'https://ada:secret@code.example/shop' }] },
      'https://code.example/shop',
    ],
    [
      'the repository, as Git reaches it',
      { versionControlProvenance: [{ repositoryUri: 'git@code.example:acme/shop.git' }] },
      'https://code.example/acme/shop',
    ],
    ['the automation id', { automationDetails: { id: 'shop-nightly' } }, 'shop-nightly'],
    ['the automation id without its run', { automationDetails: { id: 'shop/nightly/2026-11-21' } }, 'shop/nightly'],
    ['the automation id that names no run', { automationDetails: { id: 'shop/nightly/' } }, 'shop/nightly'],
  ])('are named after %s', async (_, run, name) => {
    const provenance = 'versionControlProvenance' in run ? {} : { versionControlProvenance: [] };
    expect((await findingOf({}, { ...provenance, ...run })).asset).toEqual({
      name,
      class: 'CODE_PROJECT',
      type: 'CODE_PROJECT',
    });
  });

  it('are those of the base that contains the file, if a run has several repositories', async () => {
    const versionControlProvenance = [
      { repositoryUri: 'https://code.example/acme/shop', mappedTo: { uriBaseId: 'SRCROOT' } },
      { repositoryUri: 'https://code.example/acme/theme', mappedTo: { uriBaseId: 'THEME' } },
    ];
    for (const [uriBaseId, name] of [
      ['THEME', 'theme'],
      ['SRCROOT', 'shop'],
      ['OTHER', 'shop'],
      [undefined, 'shop'],
    ]) {
      const { asset } = await findingOf({ locations: [at({ uri: 'a.c', uriBaseId })] }, { versionControlProvenance });
      expect(asset.name).toBe(`https://code.example/acme/${name}`);
    }
  });

  it.each([
    ['nothing', 'Lint', undefined],
    ['the tool alone', 'Semgrep OSS', 'semgrep/'],
    ['the tool in parts, and a date', 'SnykCode', 'Snyk/Code/2026-11-22T04:41:38Z'],
    ['the tool and a language', 'CodeQL', '/codeql/language:javascript/'],
    ['a step of a pipeline', 'CodeQL', '.github/workflows/codeql.yml:analyze/language:javascript/'],
    ['a run alone', 'Lint', '123e4567-e89b-12d3-a456-426614174000'],
  ])('are not named by %s', async (_, name, id) => {
    const run = { tool: { driver: { name } }, results: [{ ruleId: 'R' }], automationDetails: { id } };
    const { skipped, isUnplaced, about } = await readWhole({ version: '2.1.0', runs: [run] });
    expect([isUnplaced, about, skipped]).toEqual([true, [], [expect.stringContaining('query parameter asset')]]);
  });
});

describe('readSarif: snippets', () => {
  it('are the code of the region, with its place', async () => {
    const locations = [at({ uri: 'a.ts' }, { region: { startLine: 3, snippet: { text: '  eval(x);' } } })];
    expect((await findingOf({ locations })).event).toMatchObject({
      title: 'm in a.ts:3',
      attachments: [
        { type: 'SNIPPET', snippet: { name: 'a.ts:3', language: 'typescript', content: '  eval(x);', startLine: 3 } },
      ],
    });
  });

  it('are the surrounding code if the region has none', async () => {
    const contextRegion = { startLine: 27, snippet: { text: 'around' } };
    const locations = [at({ uri: 'a' }, { region: { startLine: 29 }, contextRegion })];
    expect((await findingOf({ locations })).event.attachments).toMatchObject([
      { snippet: { name: 'a:29', content: 'around', startLine: 27 } },
    ]);
  });
});

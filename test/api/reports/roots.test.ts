import { describe, expect, it } from '@jest/globals';
import { nucleiLine, sarifLog, sarifResult } from '../../support/report-imports.js';
import { importScene } from './import-scene.js';

const scene = importScene();
const query = (root: string): string => `?root=${encodeURIComponent(root)}&asset=https://code.example/acme/shop`;

/** The same finding as two machines write it, and the way in which each says where its checkout is. */
const machines: [string, [uri: string, run: object, root?: string][]][] = [
  [
    'file URIs of two runners, and the checkout named by the caller',
    [
      ['file:///home/ci/w1/app/src/x.js', {}, '/home/ci/w1/app'],
      ['file:///home/ci/w2/app/src/x.js', {}, '/home/ci/w2/app/'],
    ],
  ],
  [
    'absolute paths with blanks, plain and encoded',
    [
      ['/home/ci/my app/src/x.js', {}, '/home/ci/my app'],
      ['file:///home/ci/my%20app/src/x.js', {}, 'file:///home/ci/my%20app'],
    ],
  ],
  [
    'paths of Windows, whatever the case of the drive',
    [
      ['C:\\agent\\1\\s\\src\\x.js', {}, 'c:\\agent\\1\\s'],
      ['file:///d:/agent/2/s/src/x.js', {}, 'D:\\agent\\2\\s'],
    ],
  ],
  [
    'bases of the run, and its working directory',
    [
      ['file:///one/app/src/x.js', { originalUriBaseIds: { SRCROOT: { uri: 'file:///one/app/' } } }],
      [
        'file:///two/app/src/x.js',
        { invocations: [{ executionSuccessful: true, workingDirectory: { uri: 'file:///two/app' } }] },
      ],
    ],
  ],
  [
    'a relative path, and an absolute one of a machine',
    [
      ['src/x.js', {}],
      ['/builds/shop/src/x.js', {}, '/builds/shop'],
    ],
  ],
];

describe('POST /api/v1/scans/import of paths of one machine', () => {
  it.each(machines)('finds the same issue again from another: %s', async (_, [one, other]) => {
    for (const [at, [uri, run, root]] of [one!, other!].entries()) {
      const report = sarifLog([sarifResult('unused', uri)], run);
      const answer = await scene.imports.import(report, root === undefined ? '' : query(root));
      expect([answer.created, answer.seen, answer.absolutePaths]).toEqual(at === 0 ? [1, 0, []] : [0, 1, []]);
    }
    expect((await scene.issues.named('unused')).location).toMatchObject({ path: 'src/x.js', startLine: 3 });
  });

  it('takes no part of the machine from messages into the identity', async () => {
    const on = (root: string) =>
      sarifLog([
        sarifResult('unresolved', `${root}/src/x.js`, { message: { text: `Cannot resolve ${root}/src/y.js` } }),
      ]);
    await scene.imports.import(on('/ci/w1/app'), query('/ci/w1/app'));
    expect(await scene.imports.import(on('/ci/w2/app'), query('/ci/w2/app'))).toMatchObject({ created: 0, seen: 1 });
  });

  it('names paths that lie below no root, and keeps them', async () => {
    const results = ['/usr/include/a.h', 'file:///opt/b.h', 'src/c.c'].map((uri) => sarifResult('r', uri));
    const answer = await scene.imports.import(sarifLog(results), query('/home/ci/app'));
    expect(answer).toMatchObject({
      created: 3,
      absolutePathCount: 2,
      absolutePaths: ['usr/include/a.h', 'opt/b.h'],
    });
  });

  it('counts the folder of a file system as no root', async () => {
    const originalUriBaseIds = { ROOTPATH: { uri: 'file:///' } };
    const answer = await scene.imports.import(sarifLog([sarifResult('r', '/ci/a.c')], { originalUriBaseIds }));
    expect(answer.absolutePathCount).toBe(1);
  });

  it('places what Nuclei finds in files of the checkout into its repository', async () => {
    const line = (root: string) => nucleiLine('secret', { type: 'file', host: '', 'matched-at': `${root}/src/.env` });
    const by = (root: string) => `?root=${root}&repository=https://code.example/acme/shop`;
    const first = await scene.imports.import(line('/ci/1'), by('/ci/1'));
    expect(first.assetUris).toEqual(['asset://code-project/code.example/acme/shop']);
    expect(await scene.imports.import(line('/ci/2'), by('/ci/2'))).toMatchObject({ created: 0, seen: 1 });
  });

  it('refuses a root that is no absolute path', async () => {
    const { status, body } = await scene.imports.send(JSON.stringify(sarifLog([])), query('app'));
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ detail: [expect.objectContaining({ loc: ['query', 'root'] })] }),
    ]);
  });
});

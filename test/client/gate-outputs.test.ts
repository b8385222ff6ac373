import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientScene, startClientScene } from '../support/client-scene.js';
import { sarifLog, sarifResult } from '../support/report-imports.js';

let scene: ClientScene;
let folder: string;
beforeAll(async () => {
  scene = await startClientScene();
  folder = await mkdtemp(join(tmpdir(), 'store-outputs-'));
});
afterAll(async () => {
  await scene.close();
  await rm(folder, { recursive: true });
});

/** No pipeline, so that the asset and branch are what the test says. */
const of = (asset: string): string[] => ['--asset', `https://code.example/acme/${asset}`, '--branch', 'main'];
const at = (name: string): string => join(folder, name);

async function file(name: string, report: object | string): Promise<string> {
  await writeFile(at(name), typeof report === 'string' ? report : JSON.stringify(report));
  return at(name);
}

const count = 20_000;
const lineOf = (index: number): number => (index % 3_000) + 1;

function largeReport(): object {
  return sarifLog(
    Array.from({ length: count }, (_, index) => ({
      ruleId: `rule-${index % 40}`,
      level: index % 2 === 0 ? 'error' : 'note',
      message: { text: `Finding number ${index}.` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `src/file-${index}.ts` },
            region: { startLine: lineOf(index) },
          },
        },
      ],
    })),
  );
}

interface Written {
  runs: {
    results: {
      ruleId: string;
      message: { text: string };
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    }[];
  }[];
}

describe('The files of 20,000 findings', () => {
  it.each([
    ['of a dry run', ['--dry-run'], 'dry'],
    ['of an import', [], 'real'],
  ])('hold each with its line, message and rule: %s', async (_, options, name) => {
    const report = await file('large.sarif', largeReport());
    const files = ['--sarif-out', at(`${name}.sarif`), '--junit', at(`${name}.xml`)];
    const { code, stderr } = await scene.run([
      'scans',
      'import',
      report,
      ...of('large'),
      '--fail-on',
      'high',
      ...options,
      ...files,
    ]);
    expect([code, stderr]).toEqual([6, expect.stringContaining('10000 open issues of severity HIGH')]);
    const { runs } = JSON.parse(await readFile(at(`${name}.sarif`), 'utf8')) as Written;
    const written = new Map(
      (runs[0]?.results ?? []).map(({ ruleId, message, locations: [location] }) => {
        const { artifactLocation, region } = location!.physicalLocation;
        return [artifactLocation.uri, [ruleId, message.text, region.startLine]];
      }),
    );
    const expected = new Map(
      Array.from({ length: count }, (_each, index) => [
        `src/file-${index}.ts`,
        [`rule-${index % 40}`, `Finding number ${index}.`, lineOf(index)],
      ]),
    );
    expect([runs[0]?.results.length, written]).toEqual([count, expected]);
    const xml = await readFile(at(`${name}.xml`), 'utf8');
    expect(xml).toContain(`tests="${count}" failures="${count / 2}" errors="0"`);
    expect(xml.match(/<testcase /g)).toHaveLength(count);
    expect(xml).toContain(`>src/file-12344.ts:${lineOf(12_344)} (`);
    expect(xml).toContain('message="HIGH: Finding number 12344."');
  });

  it('are told apart by a policy that ignores by path, in all of them', async () => {
    const report = await file('large.sarif', largeReport());
    const policy = await file(
      'gate.yml',
      'failOn: high\nignore:\n  - {path: "src/file-1*.ts", reason: accepted, until: 2999-01-01}\n',
    );
    const { gate } = await scene
      .run(['scans', 'import', report, ...of('large'), '--policy', policy, '-o', 'json'])
      .then(
        ({ stdout }) => JSON.parse(stdout) as { gate: { counted: { HIGH: number }; ignored: { issues: number }[] } },
      );
    // Of 0 to 19,999, those that begin with 1: 1 + 10 + 100 + 1,000 + 10,000, of which 5,555 are even.
    expect([gate.counted.HIGH, gate.ignored.map(({ issues }) => issues)]).toEqual([10_000 - 5_555, [11_111]]);
  });
});

describe('store scans import of a tool that did not run', () => {
  const gate = ['--fail-on', 'high'];

  it.each<[string, object]>([
    ['no results', sarifLog([], { results: undefined })],
    [
      'a start failure',
      sarifLog([], { invocations: [{ executionSuccessful: false, processStartFailureMessage: 'x' }] }),
    ],
    ['no runs', { version: '2.1.0', runs: [] }],
  ])('closes the gate with 7 for %s, unless --allow-empty', async (_, report) => {
    const path = await file('silent.sarif', report);
    const closed = await scene.run(['scans', 'import', path, ...of('silent'), ...gate]);
    expect([closed.code, closed.stderr]).toEqual([7, expect.stringMatching(/did not run, or not to its end: .+/)]);
    expect((await scene.run(['scans', 'import', path, ...of('silent'), ...gate, '--allow-empty'])).code).toBe(0);
    expect((await scene.run(['scans', 'import', path, ...of('silent')])).code).toBe(0);
  });

  it('ends with 7 for an empty pipe, and imports nothing', async () => {
    const before = await scene.app.database.rows('SELECT count(*) FROM scans');
    const { code, stderr } = await scene.run(['scans', 'import', '-', ...of('silent')], { stdin: '' });
    expect([code, stderr]).toEqual([7, expect.stringContaining('Standard input is empty: the tool did not run')]);
    expect(await scene.app.database.rows('SELECT count(*) FROM scans')).toEqual(before);
  });

  it.each([
    ['with a format', ['--format', 'nuclei-jsonl']],
    ['without one', []],
  ])('takes an empty pipe for a clean scan with --allow-empty, %s', async (_, format) => {
    const args = ['scans', 'import', '-', '--asset', 'https://shop.example', '--branch', 'main', ...gate, ...format];
    expect((await scene.run([...args, '--allow-empty'], { stdin: '' })).code).toBe(0);
    expect((await scene.run(args, { stdin: '' })).code).toBe(7);
  });

  it('ends with 6 where there are too many issues, too', async () => {
    const failed = { invocations: [{ executionSuccessful: false }] };
    const path = await file('half.sarif', sarifLog([sarifResult('a')], failed));
    expect((await scene.run(['scans', 'import', path, ...of('half'), ...gate])).code).toBe(6);
  });
});

describe('store scans import: what it prints', () => {
  it('has one shape as JSON, whatever was asked', async () => {
    const path = await file('one.sarif', sarifLog([sarifResult('a')]));
    const other = await file('two.sarif', sarifLog([sarifResult('b')]));
    const shapes: unknown[] = [];
    for (const args of [
      [path],
      [path, '--fail-on', 'critical'],
      [path, other, '--category', 'x'],
      [path, '--dry-run'],
    ]) {
      const { stdout } = await scene.run(['scans', 'import', ...args, ...of('shape'), '-o', 'json']);
      const { gate, reports } = JSON.parse(stdout) as {
        gate: object | null;
        reports: { file: string; scan: object }[];
      };
      shapes.push([gate !== null, reports.map((one) => [one.file, typeof one.scan])]);
    }
    expect(shapes).toEqual([
      [false, [[path, 'object']]],
      [true, [[path, 'object']]],
      [
        false,
        [
          [path, 'object'],
          [other, 'object'],
        ],
      ],
      [false, [[path, 'object']]],
    ]);
  });

  it('says that a report is the first of its branch, and with what it is compared', async () => {
    const report = await file('base.sarif', sarifLog([sarifResult('known')]));
    const on = (branch: string): string[] => ['--asset', 'https://code.example/acme/base', '--branch', branch];
    const first = await scene.run(['scans', 'import', report, ...on('feature'), '--fail-on', 'high', '--new-only']);
    expect([first.code, first.stdout]).toEqual([
      6,
      expect.stringMatching(/BASELINE +none: the first report of Lint on feature, and no other branch has one/),
    ]);
    await scene.run(['scans', 'import', report, ...on('main')]);
    const compared = await scene.run(['scans', 'import', report, ...on('other'), '--fail-on', 'high', '--new-only']);
    expect([compared.code, compared.stdout]).toEqual([
      0,
      expect.stringMatching(/BASELINE +main: the first report of Lint on other/),
    ]);
    const again = await scene.run(['scans', 'import', report, ...on('other')]);
    expect(again.stdout).not.toContain('BASELINE');
  });

  it('names what is not kept, and paths of one machine', async () => {
    const result = sarifResult('a', '/elsewhere/x.js', { graphs: [{ description: { text: 'g' } }] });
    const { stdout } = await scene.run([
      'scans',
      'import',
      await file('named.sarif', sarifLog([result])),
      ...of('named'),
    ]);
    expect(stdout).toMatch(/NOT KEPT +results\[\]\.graphs \(1\)/);
    expect(stdout).toMatch(/OTHER PATHS +1 findings at paths of this machine alone, such as elsewhere\/x\.js/);
  });

  it('finds the same issue from another folder, by --root', async () => {
    const by = async (root: string): Promise<string> => {
      const report = await file('rooted.sarif', sarifLog([sarifResult('a', `file://${root}/src/x.js`)]));
      return (await scene.run(['scans', 'import', report, ...of('rooted'), '--root', root])).stdout;
    };
    expect(await by('/home/ci/w1/app')).toMatch(/NEW ISSUES +1\nSEEN BEFORE +0/);
    expect(await by('/home/ci/w2/app')).toMatch(/NEW ISSUES +0\nSEEN BEFORE +1/);
  });
});

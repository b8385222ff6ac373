import type { ImportedIssue } from '@store-service/sdk';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { toJUnit } from '../../src/gate/junit.js';
import { escaped, toMarkdown } from '../../src/gate/markdown.js';
import type { Ignored, Policy } from '../../src/gate/policy.js';
import { toSarif } from '../../src/gate/sarif.js';
import { type ImportedReport, type Judged, type Verdict, verdictOf } from '../../src/gate/verdict.js';

const today = '2026-11-22';
const nameOf = { CREATED: 'created', SEEN: 'seen', REOPENED: 'reopened', GONE: 'gone' } as const;

type Row = [
  outcome: ImportedIssue['outcome'],
  severity: ImportedIssue['severity'],
  rule: string,
  more?: Partial<ImportedIssue>,
];

function reportOf(rows: Row[], more: { status?: string; listed?: number } = {}): ImportedReport {
  const zero = () => ({ CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 });
  const bySeverity = {
    created: zero(),
    seen: zero(),
    unmerged: zero(),
    reopened: zero(),
    gone: zero(),
    setAside: zero(),
  };
  for (const [outcome, severity, , issue] of rows) {
    bySeverity[nameOf[outcome]][severity]++;
    if (issue?.unmerged) bySeverity.unmerged[severity]++;
  }
  const byRule = rows.map(([outcome, severity, rule, issue]) => {
    const none = { created: 0, seen: 0, unmerged: issue?.unmerged ? 1 : 0, reopened: 0, gone: 0 };
    return { ...none, rule, severity, [nameOf[outcome]]: 1 };
  });
  const issues = rows.map(([outcome, severity, rule, issue], at) => ({
    id: `id-${at}`,
    outcome,
    severity,
    rule,
    name: `Name of ${rule}`,
    assetName: 'shop',
    place: 'src/a.ts',
    unmerged: false,
    ...issue,
  }));
  const scan = { status: more.status ?? 'FINISHED', application: { name: 'Lint' } };
  const result = { scan, bySeverity, byRule, issues: issues.slice(0, more.listed), branch: 'main', goneUnknown: null };
  const list = {
    async *issues() {
      yield* issues;
    },
    remove: () => Promise.resolve(),
  };
  return { file: 'r.sarif', list, result: { ...result, resolved: 0, dryRun: false } } as unknown as ImportedReport;
}

async function decide(rows: Row[], policy: Partial<Policy>): Promise<Verdict> {
  return (await verdictOf([reportOf(rows)], { maximum: {}, ignore: [], ...policy }, { today })).verdict;
}

/** The pieces of a file. */
async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('verdictOf', () => {
  const rows: Row[] = [
    ['CREATED', 'MEDIUM', 'new'],
    ['SEEN', 'HIGH', 'old'],
    ['REOPENED', 'LOW', 'back'],
    ['GONE', 'CRITICAL', 'fixed'],
  ];

  it.each<[Partial<Policy>, string[]]>([
    [{ failOn: 'CRITICAL' }, []],
    [{ failOn: 'HIGH' }, ['old']],
    [{ failOn: 'INFO' }, ['new', 'old', 'back']],
    [{ failOn: 'HIGH', newOnly: true }, []],
    [{ failOn: 'LOW', newOnly: true }, ['new', 'back']],
    [{ maximum: { HIGH: 1 } }, []],
    [{ maximum: { HIGH: 0 } }, ['old']],
    [{ failOn: 'MEDIUM', maximum: { HIGH: 1 } }, ['new']],
  ])('%j fails %j', async (policy, failing) => {
    const verdict = await decide(rows, policy);
    expect(verdict.failing.map(({ rule }) => rule)).toEqual(failing);
    expect(verdict.passed).toBe(failing.length === 0);
  });

  it('does not count ignored rules until their last day is over', async () => {
    const ignore = [
      { rule: 'old', reason: 'accepted', until: today },
      { rule: 'new', reason: 'was accepted', until: '2026-11-21' },
    ];
    const verdict = await decide(rows, { failOn: 'MEDIUM', ignore });
    expect(verdict).toMatchObject({ counted: { HIGH: 0, MEDIUM: 1 }, expired: [ignore[1]] });
    expect(verdict.ignored).toEqual([{ ...ignore[0], issues: 1 }]);
    expect(verdict.reasons).toEqual(['1 open issue of severity MEDIUM']);
  });

  it('fails again when the pipeline is rerun, for what only the branch has', async () => {
    const again: Row[] = [
      ['SEEN', 'HIGH', 'own', { unmerged: true }],
      ['SEEN', 'HIGH', 'old'],
    ];
    const { failing, counted } = await decide(again, { failOn: 'HIGH', newOnly: true });
    expect([failing.map(({ rule }) => rule), counted.HIGH]).toEqual([['own'], 1]);
  });

  it('adds up several reports, and says how many issues there may be', async () => {
    const policy = { maximum: { HIGH: 1 }, ignore: [] };
    const { verdict } = await verdictOf([reportOf(rows), reportOf(rows)], policy, { today });
    expect(verdict.reasons).toEqual(['2 open issues of severity HIGH, where 1 may be']);
  });

  it('fails by the counts when the service lists fewer', async () => {
    const { verdict } = await verdictOf(
      [reportOf(rows, { listed: 0 })],
      { failOn: 'HIGH', maximum: {}, ignore: [] },
      { today },
    );
    expect([verdict.passed, verdict.failing]).toEqual([false, []]);
  });

  it('fails if a tool did not finish, unless that is let pass', async () => {
    const reports = [reportOf([], { status: 'FAILED' })];
    const policy: Policy = { failOn: 'HIGH', maximum: {}, ignore: [] };
    const { verdict } = await verdictOf(reports, policy, { today });
    expect(verdict).toMatchObject({
      passed: false,
      ran: false,
      reasons: ['the tool of r.sarif did not run, or not to its end'],
    });
    const allowed = await verdictOf(reports, policy, { today, allowEmpty: true });
    expect(allowed.verdict).toMatchObject({ passed: true, ran: true, reasons: [] });
  });

  it.each<[Partial<Ignored>, string[]]>([
    [{ path: 'test/**' }, ['b']],
    [{ path: 'test' }, ['b']],
    [{ path: '**/*.ts' }, ['a', 'b', 'c']],
    [{ path: 'src/*.ts' }, ['a']],
    [{ path: 'src/a.t' }, []],
    [{ asset: '*/docs' }, ['c']],
    [{ rule: 'a', path: 'src/**' }, ['a']],
    [{ rule: 'a', path: 'test/**' }, []],
  ])('ignores by rule, path and asset: %j', async (entry, expected) => {
    const report = reportOf([
      ['CREATED', 'HIGH', 'a', { place: 'src/a.ts' }],
      ['CREATED', 'HIGH', 'b', { place: 'test/deep/b.ts' }],
      ['SEEN', 'HIGH', 'c', { place: 'src/in/c.ts', assetName: 'acme/docs' }],
      ['CREATED', 'HIGH', 'd', { place: null }],
    ]);
    const ignore = [{ ...entry, reason: 'accepted', until: today }];
    const { verdict, ignoredBy } = await verdictOf([report], { failOn: 'HIGH', maximum: {}, ignore }, { today });
    expect(report.result.issues.filter((issue) => ignoredBy(issue)).map(({ rule }) => rule)).toEqual(expected);
    expect(verdict.counted.HIGH).toBe(4 - expected.length);
    expect(verdict.failing.map(({ rule }) => rule)).toEqual(
      ['a', 'b', 'c', 'd'].filter((one) => !expected.includes(one)),
    );
  });
});

describe('the files of results', () => {
  const nasty = `|<b>\`*_[x](y)\u0000\u001b\ud800"&'\n# h @you`;
  const report = reportOf([
    ['CREATED', 'HIGH', nasty, { name: nasty, place: nasty, assetName: nasty }],
    ['SEEN', 'LOW', 'quiet', { place: null }],
    ['GONE', 'LOW', 'fixed', { place: 'src/with space.ts' }],
  ]);
  const ignore = [{ rule: 'quiet', reason: nasty, until: '2027-01-01' }];
  let judged: Judged;
  beforeAll(async () => {
    judged = await verdictOf([report], { failOn: 'LOW', maximum: {}, ignore }, { today });
  });

  it('escapes what it holds in Markdown', () => {
    expect(escaped('a|b <c> *d*\ne')).toBe('a&#124;b &lt;c&gt; &#42;d&#42; e');
    const row =
      toMarkdown([report], judged.verdict)
        .split('\n')
        .find((line) => line.startsWith('| HIGH |')) ?? '';
    expect(row.split('|')).toHaveLength(7);
    expect(row).not.toMatch(/[<>`*_[\]]/);
  });

  it('says in Markdown what is new, known and gone, and why it failed', () => {
    const markdown = toMarkdown([report], judged.verdict);
    expect(markdown).toMatch(/^## Security gate: failed\n\n- 1 open issue of severity HIGH\n/);
    expect(markdown).toContain('| New | 0 | 1 | 0 | 0 | 0 |');
    expect(markdown).toContain('Ignored until 2027-01-01: 1 of rule quiet');
  });

  it('writes JUnit XML that parses, with a failure for each that fails', async () => {
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) =>
      texts.push(`${name} ${attributes['message'] ?? attributes['tests'] ?? ''}`),
    );
    parser.write(await whole(toJUnit([report], judged))).close();
    expect(texts).toEqual([
      'testsuites ',
      'testsuite 2',
      'testcase ',
      `failure HIGH: ${nasty.replaceAll(/[^\P{Cc}\n]|\p{Cs}/gu, '\ufffd')}`,
      'testcase ',
      expect.stringContaining('(until 2027-01-01)'),
    ]);
  });

  it('writes SARIF with the state of each issue', async () => {
    const { version, runs } = JSON.parse(await whole(toSarif([report]))) as {
      version: string;
      runs: { results: { baselineState: string; locations?: unknown }[] }[];
    };
    expect(version).toBe('2.1.0');
    expect(runs[0]?.results.map(({ baselineState }) => baselineState)).toEqual(['new', 'unchanged', 'absent']);
    expect(JSON.stringify(runs[0]?.results[2]?.locations)).toContain('src/with%20space.ts');
  });
});

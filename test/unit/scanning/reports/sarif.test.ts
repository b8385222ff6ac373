import { describe, expect, it } from '@jest/globals';
import { readWhole } from '../../../support/reports.js';

type Json = Record<string, unknown>;

/** A log of one run by a tool named Lint. */
function log(run: Json, rest: Json = {}): Json {
  const versionControlProvenance = [{ repositoryUri: 'https://code.example/acme/shop' }];
  return {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Lint' } }, versionControlProvenance, ...run }],
    ...rest,
  };
}

function withRule(rule: Json, result: Json): Json {
  return log({
    tool: { driver: { name: 'Lint', rules: [{ id: 'R1', ...rule }] } },
    results: [{ ruleId: 'R1', ...result }],
  });
}

async function only(report: object): Promise<Awaited<ReturnType<typeof readWhole>>['findings'][number]> {
  const { findings } = await readWhole(report);
  const [finding] = findings;
  if (findings.length !== 1 || !finding) throw new Error(`There are ${findings.length} findings`);
  return finding;
}

const text = (words: string): Json => ({ message: { text: words } });
const inFile = (uri: string, more: Json = {}): Json => ({
  locations: [{ physicalLocation: { artifactLocation: { uri }, ...more } }],
});

describe('readSarif: the log', () => {
  it('reads several runs, each with its tool, in their order', async () => {
    const { findings, tool } = await readWhole({
      version: '2.1.0',
      runs: [
        { tool: { driver: { name: 'One' } }, automationDetails: { id: 'api' }, results: [text('a')] },
        { tool: { driver: { name: 'Two' } }, automationDetails: { id: 'web' }, results: [text('b'), text('c')] },
      ],
    });
    expect(findings.map(({ name, asset }) => [name, asset.name])).toEqual([
      ['a', 'api'],
      ['b', 'web'],
      ['c', 'web'],
    ]);
    expect(tool).toBe('One');
  });

  it('reads rules that stand behind the results', async () => {
    const run = {
      automationDetails: { id: 'shop' },
      results: [{ ruleIndex: 0, ...text('x') }],
      tool: { driver: { rules: [{ id: 'LATE', name: 'Late' }], name: 'Lint' } },
    };
    expect(await only({ runs: [run], version: '2.1.0' })).toMatchObject({ name: 'Late', securityTestUid: 'LATE' });
  });

  it.each([
    ['no results', {}],
    ['null for results', { results: null }],
    ['an empty list', { results: [] }],
  ])('reads a run with %s as one without findings', async (_, run) => {
    expect(await readWhole(log(run))).toMatchObject({ findings: [], skipped: [] });
  });

  it('reads a log without runs as one without findings', async () => {
    expect(await readWhole({ version: '2.1.0', runs: [] })).toMatchObject({ findings: [], tool: 'SARIF' });
  });

  it('takes a log that tells its version by its schema alone', async () => {
    const report = {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      runs: [{ tool: { driver: { name: 'L' } }, results: [] }],
    };
    expect(await readWhole(report)).toMatchObject({ format: 'sarif' });
  });

  it.each([
    [
      'another version',
      { version: '1.0.0', runs: [] },
      'SARIF 2.1.0 is taken, and the report says it is of version 1.0.0',
    ],
    ['no version', { runs: [] }, 'the report says no version'],
    ['a run without a tool', { version: '2.1.0', runs: [{ results: [text('a')] }] }, 'none of its runs has a tool'],
    ['runs of another tool', { version: '2.1.0', runs: [{ id: 1, status: 'ok' }] }, 'none of its runs has a tool'],
    ['runs that are none', { version: '2.1.0', runs: [5, null, []] }, 'none of its runs has a tool'],
    ['results that are an object', log({ results: { a: 1 } }), 'runs[0].results should be an array'],
    ['results that are a text', log({ results: 'none' }), 'runs[0].results should be an array'],
  ])('refuses %s', async (_, report, sentence) => {
    await expect(readWhole(report)).rejects.toThrow(sentence);
  });

  it('reads UTF-8 with a byte order mark, and UTF-16', async () => {
    const json = JSON.stringify(log({ results: [text('Größe 𝄞')] }));
    const utf16 = Buffer.from(`\ufeff${json}`, 'utf16le');
    for (const bytes of [Buffer.from(`\ufeff${json}`), utf16, Buffer.from(utf16).swap16()]) {
      const { findings } = await readWhole(bytes, { pieceBytes: 13 });
      expect(findings.map(({ name }) => name)).toEqual(['Größe 𝄞']);
    }
  });

  it('refuses what is no UTF-8', async () => {
    const json = Buffer.from(JSON.stringify(log({ results: [text('XX')] })));
    json[json.indexOf('XX')] = 0xff;
    await expect(readWhole(json)).rejects.toThrow('not valid UTF-8');
  });

  it('keeps no NUL and no half characters', async () => {
    expect(await only(log({ results: [text('a\u0000b\ud800c')] }))).toMatchObject({ name: 'ab\ufffdc' });
  });

  it('skips results that are none, each with its reason', async () => {
    const { findings, skipped } = await readWhole(
      log({
        results: [
          text('a'),
          5,
          null,
          {},
          { kind: 'pass', ...text('b') },
          { kind: 'notApplicable', ...text('c') },
          { baselineState: 'absent', ...text('d') },
        ],
      }),
    );
    expect(findings.map(({ name }) => name)).toEqual(['a']);
    expect(skipped).toEqual([
      'The result is no object',
      'The result is no object',
      'The result has neither a rule nor a message',
      'The result says that the rule was kept (kind "pass")',
      'The result says that the rule does not apply (kind "notApplicable")',
      'The result is no longer there (baselineState "absent")',
    ]);
  });
});

describe('readSarif: rules', () => {
  const rules = [
    { id: 'A', shortDescription: { text: 'Rule A' } },
    { id: 'B', shortDescription: { text: 'Rule B' } },
  ];
  const extension = {
    name: 'pack',
    guid: 'G',
    rules: [
      { id: 'X', name: 'Rule X' },
      { id: 'A', name: 'Other A' },
    ],
  };

  it.each([
    ['ruleId', { ruleId: 'B' }, 'Rule B', 'B'],
    ['ruleIndex', { ruleIndex: 1 }, 'Rule B', 'B'],
    ['both', { ruleId: 'B', ruleIndex: 1 }, 'Rule B', 'B'],
    ['the id where both are at odds', { ruleId: 'A', ruleIndex: 1 }, 'Rule A', 'A'],
    ['rule.index', { rule: { index: 1 } }, 'Rule B', 'B'],
    ['rule.id', { rule: { id: 'B' } }, 'Rule B', 'B'],
    ['an id below that of the rule', { ruleId: 'A/sub' }, 'Rule A', 'A/sub'],
    ['an extension by index', { rule: { index: 0, toolComponent: { index: 0 } } }, 'Rule X', 'X'],
    ['an extension by guid', { rule: { id: 'A', toolComponent: { guid: 'G' } } }, 'Other A', 'A'],
    ['an extension by name', { rule: { index: 1, toolComponent: { name: 'pack' } } }, 'Other A', 'A'],
    ['an extension, found by the id', { ruleId: 'X' }, 'Rule X', 'X'],
    ['a rule that is not described', { ruleId: 'Z' }, 'Z', 'Z'],
    ['an index that there is not', { ruleIndex: 99, ruleId: 'B' }, 'Rule B', 'B'],
    ['no index, as tools write it', { ruleIndex: -1, ruleId: 'B' }, 'Rule B', 'B'],
  ])('finds the rule by %s', async (_, result, name, test) => {
    const tool = { driver: { name: 'Lint', rules }, extensions: [extension] };
    expect(await only(log({ tool, results: [{ ...result, ...text('m') }] }))).toMatchObject({
      name,
      securityTestUid: test,
    });
  });

  it('puts the message together from the rule and its arguments', async () => {
    const rule = { messageStrings: { m: { text: "'{0}' is never used in {1}; {2}" } } };
    const finding = await only(withRule(rule, { message: { id: 'm', arguments: ['x', 'f()'] } }));
    expect(finding.event.description).toBe("'x' is never used in f(); {2}");
  });

  it('names a finding after its message where it has no rule', async () => {
    expect(await only(log({ results: [text('First line\nsecond')] }))).toMatchObject({ name: 'First line' });
  });

  it('keeps ids that are too long apart', async () => {
    const ids = ['x'.repeat(600) + 'a', 'x'.repeat(600) + 'b'];
    const { findings } = await readWhole(log({ results: ids.map((ruleId) => ({ ruleId })) }));
    const tests = findings.map(({ securityTestUid }) => securityTestUid ?? '');
    expect(new Set(tests).size).toBe(2);
    expect(tests.every((test) => test.length <= 500)).toBe(true);
  });
});

describe('readSarif: severity', () => {
  it.each([
    ['9.0', 'CRITICAL'],
    [9, 'CRITICAL'],
    ['10.0', 'CRITICAL'],
    ['8.9', 'HIGH'],
    ['7.0', 'HIGH'],
    [6.9, 'MEDIUM'],
    ['4', 'MEDIUM'],
    ['3.9', 'LOW'],
    ['0.1', 'LOW'],
  ])('reads security-severity %j of the rule as %s, whatever the level', async (score, severity) => {
    expect(await only(withRule({ properties: { 'security-severity': score } }, { level: 'note' }))).toMatchObject({
      severity,
    });
  });

  it.each(['0.0', 0, '', 'high', null])('goes by the level where security-severity is %j', async (score) => {
    expect(await only(withRule({ properties: { 'security-severity': score } }, { level: 'error' }))).toMatchObject({
      severity: 'HIGH',
    });
  });

  it("puts the result's own security-severity before the rule's", async () => {
    const result = { properties: { 'security-severity': '2.0' } };
    expect(await only(withRule({ properties: { 'security-severity': '9.9' } }, result))).toMatchObject({
      severity: 'LOW',
    });
  });

  it.each([
    ['error', 'HIGH'],
    ['warning', 'MEDIUM'],
    ['note', 'LOW'],
    ['none', 'INFO'],
  ])('reads the level %s as %s', async (level, severity) => {
    expect(await only(withRule({}, { level }))).toMatchObject({ severity });
    expect(await only(withRule({ defaultConfiguration: { level } }, {}))).toMatchObject({ severity });
  });

  it('is that of a warning where nothing tells it', async () => {
    expect(await only(withRule({}, {}))).toMatchObject({ severity: 'MEDIUM' });
  });

  it.each([{ level: 'error' }, { properties: { 'security-severity': '9.9' } }])(
    'is INFO for the kind informational, whatever else it says: %j',
    async (more) => {
      expect(await only(withRule({}, { kind: 'informational', ...more }))).toMatchObject({ severity: 'INFO' });
    },
  );

  it.each(['open', 'review', 'informational'])('is INFO for the kind %s without a level', async (kind) => {
    expect(await only(withRule({ defaultConfiguration: { level: 'error' } }, { kind }))).toMatchObject({
      severity: 'INFO',
    });
  });
});

describe('readSarif: category', () => {
  it.each([
    ['tags of the rule', { properties: { tags: ['security', 'external/cwe/cwe-089'] } }, {}, 'INJECTION'],
    ['tags in words', { properties: { tags: ['CWE-352: Cross-Site Request Forgery (CSRF)'] } }, {}, 'REQUEST_FORGERY'],
    ['a property', { properties: { cwe: ['CWE-639'] } }, {}, 'ACCESS_CONTROL'],
    ['a number', { properties: { cwe: 200 } }, {}, 'INFORMATION_DISCLOSURE'],
    [
      'a relationship',
      { relationships: [{ target: { id: '770', toolComponent: { name: 'CWE' } } }] },
      {},
      'RESOURCE_LIMITATION',
    ],
    ['a relationship that says CWE itself', { relationships: [{ target: { id: 'CWE-319' } }] }, {}, 'SENSITIVE_DATA'],
    ["the result's taxa", {}, { taxa: [{ id: '1021', toolComponent: { name: 'cwe' } }] }, 'CONFIGURATION'],
    ["the result's tags", {}, { properties: { tags: ['cwe-79'] } }, 'INJECTION'],
    ['the first weakness that has one', { properties: { tags: ['cwe-99999', 'cwe-79', 'cwe-352'] } }, {}, 'INJECTION'],
    [
      'a taxon of another taxonomy',
      { relationships: [{ target: { id: '79', toolComponent: { name: 'OWASP' } } }] },
      {},
      'CUSTOM',
    ],
    ['nothing', {}, {}, 'CUSTOM'],
  ])('comes from %s', async (_, rule, result, category) => {
    expect(await only(withRule(rule, result))).toMatchObject({ category });
  });
});

describe('readSarif: fingerprints', () => {
  async function fingerprints(results: Json[]): Promise<string[]> {
    return (await readWhole(log({ results }))).findings.map(({ fingerprint }) => fingerprint);
  }

  it('stay when lines move', async () => {
    const at = (line: number): Json => ({
      ruleId: 'R',
      ...text('m'),
      ...inFile('a.c', { region: { startLine: line } }),
    });
    expect(await fingerprints([at(1)])).toEqual(await fingerprints([at(7)]));
  });

  it.each([
    ['the rule', { ruleId: 'R2' }],
    ['the file', inFile('b.c')],
    ['the message', text('n')],
  ])('tell results apart by %s', async (_, change) => {
    const result = { ruleId: 'R', ...text('m'), ...inFile('a.c') };
    const [one, other] = await fingerprints([result, { ...result, ...change }]);
    expect(one).not.toBe(other);
  });

  it.each(['fingerprints', 'partialFingerprints'])(
    'go by %s rather than by the message, in any order',
    async (name) => {
      const [one] = await fingerprints([{ ruleId: 'R', ...text('m'), [name]: { a: '1', b: '2' } }]);
      const [other] = await fingerprints([{ ruleId: 'R', ...text('changed'), [name]: { b: '2', a: '1' } }]);
      const [third] = await fingerprints([{ ruleId: 'R', ...text('m'), [name]: { a: '1', b: '3' } }]);
      expect(one).toBe(other);
      expect(one).not.toBe(third);
    },
  );

  it.each(['fingerprints', 'partialFingerprints'])('compare what is no text in %s whole', async (name) => {
    const print = (value: unknown): Json => ({ ruleId: 'R', ...text('m'), [name]: { v1: value } });
    const values = [{ a: 1 }, { a: 2 }, { a: { b: [1] } }, { a: { b: [2] } }, [1, 2], [2, 1], 1, '2', null];
    expect(new Set(await fingerprints(values.map(print))).size).toBe(values.length);
    const [one] = await fingerprints([print({ a: 1, b: { c: 2, d: 3 } })]);
    const [other] = await fingerprints([print({ b: { d: 3, c: 2 }, a: 1 })]);
    expect(one).toBe(other);
  });

  it('of equal results are told apart by their order, the same in every report', async () => {
    const equal = { ruleId: 'R', ...text('m'), ...inFile('a.c') };
    const first = await fingerprints([equal, { ruleId: 'S' }, equal, equal]);
    expect(new Set(first).size).toBe(4);
    expect(await fingerprints([equal, equal, equal])).toEqual([first[0], first[2], first[3]]);
  });
});

describe('readSarif: suppressions', () => {
  it.each([
    ['one', [{ kind: 'inSource' }], 'IGNORED'],
    ['an accepted one', [{ kind: 'external', status: 'accepted' }], 'IGNORED'],
    ['a rejected one', [{ kind: 'external', status: 'rejected' }], undefined],
    ['one under review', [{ kind: 'external', status: 'underReview' }], undefined],
    ['an accepted and a rejected one', [{ status: 'accepted' }, { status: 'rejected' }], undefined],
    ['an empty list', [], undefined],
    ['null', null, undefined],
  ])('%s', async (_, suppressions, status) => {
    expect((await only(log({ results: [{ ...text('m'), suppressions }] }))).status).toBe(status);
  });
});

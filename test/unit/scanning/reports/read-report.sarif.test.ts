import { describe, expect, it } from '@jest/globals';
import { onlyFinding, readWhole } from '../../../support/reports.js';
import { logOf, logWithRule, saying } from '../../../support/sarif-reports.js';

describe('readSarif: the log', () => {
  it('reads several runs, each with its tool, in order', async () => {
    const { findings, tool } = await readWhole({
      version: '2.1.0',
      runs: [
        { tool: { driver: { name: 'One' } }, automationDetails: { id: 'api' }, results: [saying('a')] },
        { tool: { driver: { name: 'Two' } }, automationDetails: { id: 'web' }, results: [saying('b'), saying('c')] },
      ],
    });
    expect(findings.map(({ name, asset }) => [name, asset.name])).toEqual([
      ['a', 'api'],
      ['b', 'web'],
      ['c', 'web'],
    ]);
    expect(tool).toBe('One');
  });

  it('reads rules after the results', async () => {
    const run = {
      automationDetails: { id: 'shop' },
      results: [{ ruleIndex: 0, ...saying('x') }],
      tool: { driver: { rules: [{ id: 'LATE', name: 'Late' }], name: 'Lint' } },
    };
    expect(await onlyFinding({ runs: [run], version: '2.1.0' })).toMatchObject({
      name: 'Late',
      securityTestUid: 'LATE',
    });
  });

  it.each([
    ['no results', {}, [expect.stringContaining('did not begin')]],
    ['null for results', { results: null }, [expect.stringContaining('did not begin')]],
    ['an empty list', { results: [] }, []],
  ])('reads a run with %s as one without findings', async (_, run, failures) => {
    expect(await readWhole(logOf(run))).toMatchObject({ findings: [], skipped: [], failures });
  });

  it('reads a log without runs as one without findings', async () => {
    expect(await readWhole({ version: '2.1.0', runs: [] })).toMatchObject({
      findings: [],
      tool: 'SARIF',
      failures: [expect.stringContaining('no run')],
    });
  });

  it('accepts a log that names its version only by its schema', async () => {
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
      'Only SARIF 2.1.0 is supported, and the report says it is of version 1.0.0',
    ],
    ['no version', { runs: [] }, 'the report says no version'],
    ['a run without a tool', { version: '2.1.0', runs: [{ results: [saying('a')] }] }, 'none of its runs has a tool'],
    ['runs of another tool', { version: '2.1.0', runs: [{ id: 1, status: 'ok' }] }, 'none of its runs has a tool'],
    ['runs that are none', { version: '2.1.0', runs: [5, null, []] }, 'none of its runs has a tool'],
    ['results that are an object', logOf({ results: { a: 1 } }), 'runs[0].results should be an array'],
    ['results that are a text', logOf({ results: 'none' }), 'runs[0].results should be an array'],
  ])('refuses %s', async (_, report, sentence) => {
    await expect(readWhole(report)).rejects.toThrow(sentence);
  });

  it('reads UTF-8 with a byte order mark, and UTF-16', async () => {
    const json = JSON.stringify(logOf({ results: [saying('Größe 𝄞')] }));
    const utf16 = Buffer.from(`\ufeff${json}`, 'utf16le');
    for (const bytes of [Buffer.from(`\ufeff${json}`), utf16, Buffer.from(utf16).swap16()]) {
      const { findings } = await readWhole(bytes, { pieceBytes: 13 });
      expect(findings.map(({ name }) => name)).toEqual(['Größe 𝄞']);
    }
  });

  it('refuses invalid UTF-8', async () => {
    const json = Buffer.from(JSON.stringify(logOf({ results: [saying('XX')] })));
    json[json.indexOf('XX')] = 0xff;
    await expect(readWhole(json)).rejects.toThrow('not valid UTF-8');
  });

  it('removes NULs and lone surrogates', async () => {
    expect(await onlyFinding(logOf({ results: [saying('a\u0000b\ud800c')] }))).toMatchObject({ name: 'ab\ufffdc' });
  });

  it('skips entries that are not results, with a reason', async () => {
    const { findings, skipped } = await readWhole(
      logOf({
        results: [
          saying('a'),
          5,
          null,
          {},
          { kind: 'pass', ...saying('b') },
          { kind: 'notApplicable', ...saying('c') },
          { baselineState: 'absent', ...saying('d') },
        ],
      }),
    );
    expect(findings.map(({ name }) => name)).toEqual(['a']);
    expect(skipped).toEqual([
      'The result is not an object',
      'The result is not an object',
      'The result has neither a rule nor a message',
      'The result says that the check passed (kind "pass")',
      'The result says that the rule does not apply (kind "notApplicable")',
      'The result says that the finding is gone (baselineState "absent")',
    ]);
  });
});

describe('readSarif: rules', () => {
  const rules = [
    { id: 'A', shortDescription: { text: 'Rule A' } },
    { id: 'B', guid: 'B-2', deprecatedGuids: ['B-1'], deprecatedIds: ['old'], shortDescription: { text: 'Rule B' } },
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
    ['rule.guid', { rule: { guid: 'b-2' } }, 'Rule B', 'B'],
    ['a guid of before', { rule: { guid: 'B-1' } }, 'Rule B', 'B'],
    ['an id of before', { ruleId: 'old' }, 'Rule B', 'old'],
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
    expect(await onlyFinding(logOf({ tool, results: [{ ...result, ...saying('m') }] }))).toMatchObject({
      name,
      securityTestUid: test,
    });
  });

  it('composes the message from the rule and its arguments', async () => {
    const rule = { messageStrings: { m: { text: "'{0}' is never used in {1}; {2}" } } };
    const finding = await onlyFinding(logWithRule(rule, { message: { id: 'm', arguments: ['x', 'f()'] } }));
    expect(finding.event.description).toBe("'x' is never used in f(); {2}");
  });

  it('names a finding after its message if it has no rule', async () => {
    expect(await onlyFinding(logOf({ results: [saying('First line\nsecond')] }))).toMatchObject({ name: 'First line' });
  });

  it('tells ids apart that are too long', async () => {
    const ids = ['x'.repeat(600) + 'a', 'x'.repeat(600) + 'b'];
    const { findings } = await readWhole(logOf({ results: ids.map((ruleId) => ({ ruleId })) }));
    const tests = findings.map(({ securityTestUid }) => securityTestUid ?? '');
    expect(new Set(tests).size).toBe(2);
    expect(tests.every((test) => test.length <= 500)).toBe(true);
  });
});

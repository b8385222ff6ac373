import { describe, expect, it } from '@jest/globals';
import { onlyFinding, readWhole } from '../../../support/reports.js';
import { inFile, logOf, logWithRule, saying } from '../../../support/sarif-reports.js';

type Json = Record<string, unknown>;

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
    expect(
      await onlyFinding(logWithRule({ properties: { 'security-severity': score } }, { level: 'note' })),
    ).toMatchObject({
      severity,
    });
  });

  it.each(['0.0', 0, '', 'high', null])('falls back on the level when security-severity is %j', async (score) => {
    expect(
      await onlyFinding(logWithRule({ properties: { 'security-severity': score } }, { level: 'error' })),
    ).toMatchObject({
      severity: 'HIGH',
    });
  });

  it("prefers the result's own security-severity to the rule's", async () => {
    const result = { properties: { 'security-severity': '2.0' } };
    expect(await onlyFinding(logWithRule({ properties: { 'security-severity': '9.9' } }, result))).toMatchObject({
      severity: 'LOW',
    });
  });

  it.each([
    ['error', 'HIGH'],
    ['warning', 'MEDIUM'],
    ['note', 'LOW'],
    ['none', 'INFO'],
  ])('reads the level %s as %s', async (level, severity) => {
    expect(await onlyFinding(logWithRule({}, { level }))).toMatchObject({ severity });
    expect(await onlyFinding(logWithRule({ defaultConfiguration: { level } }, {}))).toMatchObject({ severity });
  });

  it('is that of a warning by default', async () => {
    expect(await onlyFinding(logWithRule({}, {}))).toMatchObject({ severity: 'MEDIUM' });
  });

  it.each([{ level: 'error' }, { properties: { 'security-severity': '9.9' } }])(
    'is INFO for the kind informational, even with %j',
    async (more) => {
      expect(await onlyFinding(logWithRule({}, { kind: 'informational', ...more }))).toMatchObject({
        severity: 'INFO',
      });
    },
  );

  it.each(['open', 'review', 'informational'])('is INFO for the kind %s without a level', async (kind) => {
    expect(await onlyFinding(logWithRule({ defaultConfiguration: { level: 'error' } }, { kind }))).toMatchObject({
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
    expect(await onlyFinding(logWithRule(rule, result))).toMatchObject({ category });
  });
});

describe('readSarif: fingerprints', () => {
  async function fingerprints(results: Json[]): Promise<string[]> {
    return (await readWhole(logOf({ results }))).findings.map(({ fingerprint }) => fingerprint);
  }

  it('stay when lines move', async () => {
    const at = (line: number): Json => ({
      ruleId: 'R',
      ...saying('m'),
      ...inFile('a.c', { region: { startLine: line } }),
    });
    expect(await fingerprints([at(1)])).toEqual(await fingerprints([at(7)]));
  });

  it.each([
    ['the rule', { ruleId: 'R2' }],
    ['the file', inFile('b.c')],
    ['the message', saying('n')],
  ])('distinguish results by %s', async (_, change) => {
    const result = { ruleId: 'R', ...saying('m'), ...inFile('a.c') };
    const [one, other] = await fingerprints([result, { ...result, ...change }]);
    expect(one).not.toBe(other);
  });

  it.each(['fingerprints', 'partialFingerprints'])(
    'go by %s rather than by the message, in any order',
    async (name) => {
      const [one] = await fingerprints([{ ruleId: 'R', ...saying('m'), [name]: { a: '1', b: '2' } }]);
      const [other] = await fingerprints([{ ruleId: 'R', ...saying('changed'), [name]: { b: '2', a: '1' } }]);
      const [third] = await fingerprints([{ ruleId: 'R', ...saying('m'), [name]: { a: '1', b: '3' } }]);
      expect(one).toBe(other);
      expect(one).not.toBe(third);
    },
  );

  it.each(['fingerprints', 'partialFingerprints'])(
    'compare values in %s that are not text as a whole',
    async (name) => {
      const print = (value: unknown): Json => ({ ruleId: 'R', ...saying('m'), [name]: { v1: value } });
      const values = [{ a: 1 }, { a: 2 }, { a: { b: [1] } }, { a: { b: [2] } }, [1, 2], [2, 1], 1, '2', null];
      expect(new Set(await fingerprints(values.map(print))).size).toBe(values.length);
      const [one] = await fingerprints([print({ a: 1, b: { c: 2, d: 3 } })]);
      const [other] = await fingerprints([print({ b: { d: 3, c: 2 }, a: 1 })]);
      expect(one).toBe(other);
    },
  );

  it('of equal results are distinguished by their order, the same in every report', async () => {
    const equal = { ruleId: 'R', ...saying('m'), ...inFile('a.c') };
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
    expect((await onlyFinding(logOf({ results: [{ ...saying('m'), suppressions }] }))).status).toBe(status);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { openReport, readReport } from '../../../../src/scanning/reports/read-report.js';
import type { Report } from '../../../../src/scanning/reports/report-finding.js';
import { NotAsExpected, SpooledFindings } from '../../../../src/scanning/reports/spooled-findings.js';
import { Deferred } from '../../../support/deferred.js';
import { sarifLog, sarifResult } from '../../../support/report-imports.js';
import { bytesOfReport, plainReading } from '../../../support/reports.js';

const none = { named: null, fallback: null };
const results = Array.from({ length: 2_500 }, (_, at) => sarifResult(`R${at}`));

const ofOneBatch = 250;

async function lengthsOf(batches: AsyncIterable<unknown[]>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const { length } of batches) lengths.push(length);
  return lengths;
}

function sarif(log: object): Promise<Report> {
  return openReport(bytesOfReport(log), 'sarif').then((opened) => readReport(opened, plainReading));
}

/** The report, whose entries pause after the first ones until `go` resolves. */
function pausing(report: Report, after: number, go: Promise<unknown>): Report {
  return {
    ...report,
    async *entries() {
      let count = 0;
      for await (const entries of report.entries()) {
        yield entries;
        count += entries.length;
        if (count >= after) await go;
      }
    },
  };
}

/** The report, whose entries end with an error. */
function breaking(report: Report): Report {
  return {
    ...report,
    async *entries() {
      yield* report.entries();
      throw Invalid.at(['body'], 'json_invalid', 'The report is not valid JSON');
    },
  };
}

describe('Findings that are being read', () => {
  it('are returned before all have been read', async () => {
    const go = new Deferred<void>();
    const findings = new SpooledFindings(pausing(await sarif(sarifLog(results)), 1_100, go.promise), none);
    const batches = findings.batches(findings.expected ?? findings.assets);
    expect((await batches.next()).value).toHaveLength(ofOneBatch);
    expect(findings.findings).toBeLessThan(results.length);
    go.resolve();
    expect(await lengthsOf(batches)).toEqual(Array(results.length / ofOneBatch - 1).fill(ofOneBatch));
    await findings.close();
  });

  it('are delayed while a batch takes long, and arrive once all have been read', async () => {
    const go = new Deferred<void>();
    const findings = new SpooledFindings(pausing(await sarif(sarifLog(results)), 1_100, go.promise), none);
    const { expected } = findings;
    if (!expected) throw new Error('The report names one repository');
    const early = async (): Promise<void> => {
      for await (const batch of findings.batches(expected, 100)) expect(batch).toHaveLength(ofOneBatch);
    };
    await expect(early()).rejects.toThrow(NotAsExpected);
    const all = findings.batches(findings.assets, 100);
    const first = await all.next();
    go.resolve();
    await findings.whole;
    expect(first.value).toHaveLength(ofOneBatch);
    expect(await lengthsOf(all)).toEqual(Array(results.length / ofOneBatch - 1).fill(ofOneBatch));
    await findings.close();
  });

  it('wait for the work on those before them', async () => {
    const findings = new SpooledFindings(await sarif(sarifLog(results)), none);
    const batches = findings.batches(findings.expected ?? findings.assets);
    await batches.next();
    const go = new Deferred<void>();
    const work = findings.work(() => go.promise);
    await sleep(50);
    const read = findings.findings;
    await sleep(50);
    expect(findings.findings).toBe(read);
    expect(read).toBeLessThan(results.length);
    go.resolve();
    await work;
    await findings.whole;
    expect(findings.findings).toBe(results.length);
    await findings.close();
  });

  it('are counted before they are read, whatever they are', async () => {
    const odd = [1, null, 'x', [], {}, { kind: 'pass' }, { ruleId: 'R', locations: 7 }, [[{}]], true];
    const run = { tool: { driver: { name: 'Lint' } } };
    const log = {
      version: '2.1.0',
      runs: [{ ...run, results: odd }, null, 7, [run], { ...run, results: results.slice(0, 3) }],
    };
    const report = await sarif(log);
    const findings = new SpooledFindings(report, { named: null, fallback: null });
    await findings.whole.catch(() => undefined);
    expect(report.count).toBe(findings.findings);
    await findings.close();
  });

  it.each([
    ['of a page', sarifResult('P', 'https://shop.example/cart')],
    ['that is absent from a page', sarifResult('P', 'https://shop.example/cart', { baselineState: 'absent' })],
  ])('belong to other assets than expected, with one %s', async (_, other) => {
    const findings = new SpooledFindings(await sarif(sarifLog([...results, other])), none);
    const { expected } = findings;
    if (!expected) throw new Error('The report names one repository');
    const read = async (assets: typeof expected): Promise<number> => {
      let count = 0;
      for await (const batch of findings.batches(assets)) count += batch.length;
      return count;
    };
    await expect(read(expected)).rejects.toThrow(NotAsExpected);
    await findings.whole;
    expect(await read(findings.assets)).toBe(findings.findings - findings.skipped.count);
    await findings.close();
  });

  it('have no expected asset if the report names two', async () => {
    const repository = { versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/other' }] };
    const [one, other] = [sarifLog(results), sarifLog(results, repository)] as { runs: object[] }[];
    const findings = new SpooledFindings(
      await sarif({ ...one, runs: [...(one?.runs ?? []), ...(other?.runs ?? [])] }),
      none,
    );
    expect(findings.expected).toBeNull();
    await findings.close();
  });

  it('end with the error in the report', async () => {
    const findings = new SpooledFindings(breaking(await sarif(sarifLog(results))), none);
    const read = async () => {
      for await (const batch of findings.batches(findings.assets)) expect(batch.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow(Invalid);
    await findings.close();
  });

  it('are read no further once nobody wants them', async () => {
    const go = new Deferred<void>();
    const findings = new SpooledFindings(pausing(await sarif(sarifLog(results)), 1_100, go.promise), none);
    await findings.batches(findings.assets).next();
    const closed = findings.close();
    go.resolve();
    await closed;
    expect(findings.findings).toBeLessThan(results.length);
  });
});

import { describe, expect, it } from '@jest/globals';
import { sarifResult } from '../../support/report-imports.js';
import { goneOf, importScene } from './import-scene.js';

const scene = importScene();
const query = '?branch=main&resolveGone=true&asset=https://code.example/acme/shop';

/** A log with a run of each tool, with its rules; null for one that did not begin. */
function logOf(tools: Record<string, string[] | null>): object {
  const runs = Object.entries(tools).map(([name, rules]) => ({
    tool: { driver: { name } },
    ...(rules ? { results: rules.map((rule) => sarifResult(rule)) } : {}),
  }));
  return { version: '2.1.0', runs };
}

describe('POST /api/v1/scans/import of a report of several tools', () => {
  it('makes a scan of each, in its own profile, with its own findings', async () => {
    const answer = await scene.imports.import(logOf({ Lint: ['a', 'b'], Secrets: ['c'] }), query);
    expect(answer).toMatchObject({ created: 3, seen: 0, findings: 3, tool: 'Lint', notRun: null });
    expect(answer.tools.map(({ tool, gone, first }) => [tool, gone, first])).toEqual([
      ['Lint', 0, true],
      ['Secrets', 0, true],
    ]);
    const token = scene.organization.viewer.token;
    const scans = await Promise.all(
      answer.tools.map(async ({ scanId }) => {
        const { body } = await scene.app.api.get<{ application: { name: string } }>(`/api/v1/scans/${scanId}`, {
          token,
        });
        return [body.application.name, (await scene.issues.list(`&scanIds=${scanId}`)).map(({ name }) => name).sort()];
      }),
    );
    expect(scans).toEqual([
      ['Lint', ['a', 'b']],
      ['Secrets', ['c']],
    ]);
    expect(answer.scan.id).toBe(answer.tools[0]?.scanId);
  });

  it('compares each with its own reports, however they were put together', async () => {
    await scene.imports.import(logOf({ Lint: ['a', 'b'], Secrets: ['c', 'd'] }), query);
    expect(goneOf(await scene.imports.import(logOf({ Secrets: ['c'] }), query))).toEqual(['d']);
    expect(await scene.statuses()).toEqual({ a: 'OPEN', b: 'OPEN', c: 'OPEN', d: 'RESOLVED' });
    const answer = await scene.imports.import(logOf({ Secrets: [], Lint: ['a'] }), query);
    expect(goneOf(answer).sort()).toEqual(['b', 'c']);
    expect(answer.tools.map(({ tool, gone }) => [tool, gone])).toEqual([
      ['Secrets', 1],
      ['Lint', 1],
    ]);
    expect(await scene.statuses()).toEqual({ a: 'OPEN', b: 'RESOLVED', c: 'RESOLVED', d: 'RESOLVED' });
  });

  it('resolves nothing of one that did not run, and what is gone of the others', async () => {
    await scene.imports.import(logOf({ Lint: ['a'], Secrets: ['c'] }), query);
    const answer = await scene.imports.import(logOf({ Lint: null, Secrets: [] }), query);
    expect(goneOf(answer)).toEqual(['c']);
    expect(answer.notRun).toContain('Lint: ');
    expect(answer.tools.map(({ notRun, goneUnknown }) => [notRun !== null, goneUnknown !== null])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(await scene.statuses()).toEqual({ a: 'OPEN', c: 'RESOLVED' });
  });

  it('names the tools beyond the most that it tells apart', async () => {
    const tools = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`Tool ${at}`, [`rule-${at}`]]));
    const answer = await scene.imports.import(logOf(tools), query);
    expect([answer.tools.length, answer.created, answer.skippedCount]).toEqual([20, 20, 1]);
    expect(answer.goneUnknown).not.toBeNull();
  });
});

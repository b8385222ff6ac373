import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Issue } from '../../../src/scanning/issues/issues.dto.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { FoundIssues, Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const branches = ['main', 'fix/a', 'fix/b'] as const;
type BranchName = (typeof branches)[number];
const rules = ['r0', 'r1', 'r2', 'r3'] as const;
type Rule = (typeof rules)[number];
/** What each tool can find: two of the rules both. */
const tools: Record<string, readonly Rule[]> = { Lint: ['r0', 'r1', 'r2'], Other: ['r1', 'r2', 'r3'] };
const commits = 5;

type Step =
  | { kind: 'scan'; branch: BranchName; commit: number; tool: string }
  | { kind: 'close'; branch: BranchName }
  | { kind: 'default'; branch: BranchName }
  | { kind: 'ignore'; rule: Rule };

/** What the state should be: by branch, which issues scans ever found there, and what each tool's newest commit has. */
class Model {
  mainline: BranchName = 'main';
  private readonly found = new Map<BranchName, Set<Rule>>();
  private readonly newest = new Map<string, { commit: number; has: readonly Rule[] }>();
  private readonly ignored = new Set<Rule>();
  readonly known = new Set<Rule>();

  scan(branch: BranchName, commit: number, tool: string, has: readonly Rule[]): void {
    const key = `${branch} ${tool}`;
    if (commit >= (this.newest.get(key)?.commit ?? 0)) this.newest.set(key, { commit, has });
    this.found.set(branch, new Set([...(this.found.get(branch) ?? []), ...has]));
    for (const rule of has) this.known.add(rule);
  }

  close(branch: BranchName): void {
    if (branch === this.mainline) return;
    this.found.delete(branch);
    for (const tool of Object.keys(tools)) this.newest.delete(`${branch} ${tool}`);
  }

  ignore(rule: Rule): void {
    if (this.known.has(rule)) this.ignored.add(rule);
  }

  has(branch: BranchName, rule: Rule): boolean {
    return Object.keys(tools).some((tool) => this.newest.get(`${branch} ${tool}`)?.has.includes(rule) === true);
  }

  branchesOf(rule: Rule): string[] {
    return branches
      .filter((branch) => this.found.get(branch)?.has(rule) === true)
      .map((branch) => `${branch}${this.has(branch, rule) ? '' : ' gone'}`);
  }

  isOfDefault(rule: Rule): boolean {
    return this.found.get(this.mainline)?.has(rule) === true;
  }

  status(rule: Rule): string {
    if (this.ignored.has(rule)) return 'IGNORED';
    const counting = this.isOfDefault(rule) ? [this.mainline] : branches;
    return counting.some((branch) => this.has(branch, rule)) ? 'OPEN' : 'RESOLVED';
  }
}

class Scene {
  readonly model = new Model();
  private readonly imports: Imports;
  private readonly issues: FoundIssues;
  private readonly token: string;

  constructor(
    organization: InsertedOrganization,
    private readonly contents: readonly (readonly Rule[])[],
  ) {
    this.token = organization.member.token;
    this.imports = new Imports(app.api, this.token);
    this.issues = new FoundIssues(app.api, this.token);
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'scan') await this.scan(step.branch, step.commit, step.tool);
    if (step.kind === 'close') {
      this.model.close(step.branch);
      await app.api.post('/api/v1/branches/close', { token: this.token, json: { name: step.branch } });
    }
    if (step.kind === 'default') {
      this.model.mainline = step.branch;
      await this.scan(step.branch, commits, 'Lint');
    }
    if (step.kind === 'ignore') {
      this.model.ignore(step.rule);
      const issue = (await this.issues.list('&branch=*')).find(({ name }) => name === step.rule);
      const json = { status: 'IGNORED' };
      if (issue) await app.api.patch(`/api/v1/issues/${issue.id}`, { token: this.token, json });
    }
  }

  /** A commit of a branch has the same findings, whoever scans it and whenever. */
  private async scan(branch: BranchName, commit: number, tool: string): Promise<void> {
    const content = this.contents[branches.indexOf(branch) * (commits + 1) + commit] ?? [];
    const has = content.filter((rule) => tools[tool]?.includes(rule));
    this.model.scan(branch, commit, tool, has);
    const report = sarifLog(
      has.map((rule) => sarifResult(rule)),
      { tool: { driver: { name: tool } } },
    );
    const committedAt = `2026-11-${10 + commit}T12:00:00Z`;
    const query = new URLSearchParams({ branch, defaultBranch: this.model.mainline, committedAt, resolveGone: 'true' });
    await this.imports.import(report, `?${query.toString()}`);
  }

  async assertState(): Promise<void> {
    const { model } = this;
    const all = await this.issues.list('&branch=*');
    const seen = [];
    for (const { id } of all) {
      const { body } = await app.api.get<Issue>(`/api/v1/issues/${id}`, { token: this.token });
      const own = body.branches.map(({ name, present }) => `${name}${present ? '' : ' gone'}`).sort();
      seen.push([body.name, body.status, ...own]);
    }
    const expected = [...model.known].map((rule) => [rule, model.status(rule), ...model.branchesOf(rule).sort()]);
    expect(new Set(seen.map((one) => one.join(', ')))).toEqual(new Set(expected.map((one) => one.join(', '))));
    const listed = (await this.issues.list()).map(({ name }) => name).sort();
    expect(listed).toEqual(rules.filter((rule) => model.isOfDefault(rule)));
  }
}

const branch = fc.constantFrom(...branches);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      branch,
      commit: fc.integer({ min: 0, max: commits }),
      tool: fc.constantFrom(...Object.keys(tools)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), branch }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('default' as const), branch }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ignore' as const), rule: fc.constantFrom(...rules) }) },
);
const content = fc.array(fc.subarray([...rules]), { minLength: 3 * (commits + 1), maxLength: 3 * (commits + 1) });

describe('Branches that several tools scan in any order', () => {
  it('leave each issue in the state of a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.array(step, { minLength: 4, maxLength: 14 }), async (contents, steps) => {
        const scene = new Scene(await insertOrganization(app), contents);
        for (const one of steps) await scene.take(one);
        await scene.assertState();
      }),
      { numRuns: 25 },
    );
  });
});

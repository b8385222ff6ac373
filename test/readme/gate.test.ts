import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Issue } from '../../src/scanning/issues/issues.dto.js';
import { insertOrganization } from '../support/organizations.js';
import { shellBlocks } from '../support/readme.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { sarifReports } from '../support/tool-reports/sarif-reports.js';

interface GitHubJobs {
  jobs: Record<string, { steps: { if?: string; run?: string }[] }>;
}

interface Results {
  runs: { results: object[] }[];
}

type GitLabJobs = Record<string, { script?: string[]; rules?: { if: string }[] }>;

/** The commands of a pipeline for a merge request, and for the default branch. */
interface Commands {
  merge: string[];
  main: string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const repository = 'https://code.example/acme/shop';
let app: TestApp;
let folder: string;
let key: string;

/** The command `store`, as in the image of the service. */
async function installStore(): Promise<void> {
  const loader = pathToFileURL(`${root}/scripts/ts-loader.mjs`).href;
  const run = `exec '${process.execPath}' --import '${loader}' '${root}/packages/client/src/main.ts' "$@"`;
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/store'), `#!/bin/sh\n${run}\n`);
  await chmod(join(folder, 'bin/store'), 0o755);
}

/** A Semgrep report with a finding suppressed in the code and a new one. */
async function scan(findings: number): Promise<void> {
  const content = structuredClone(sarifReports[0]?.content) as Results;
  const [run] = content.runs;
  if (run) run.results = run.results.slice(-findings);
  await writeFile(join(folder, 'results.sarif'), JSON.stringify(content));
}

function type(commands: string[], env: Record<string, string>): Promise<number> {
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  const surroundings = { PATH: path, STORE_API_URL: app.baseUrl, STORE_API_KEY: key, ...env };
  return new Promise((resolve) => {
    execFile('bash', ['-euc', commands.join('\n')], { cwd: folder, env: surroundings }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}

async function yaml<T>(name: string): Promise<T> {
  return parse(await readFile(join(root, 'deploy/ci', name), 'utf8')) as T;
}

async function github(): Promise<Commands> {
  const { jobs } = await yaml<GitHubJobs>('github-actions.yml');
  const of = (event: string) =>
    (jobs['gate']?.steps ?? []).flatMap((step) => (step.if?.includes(`'${event}'`) && step.run ? [step.run] : []));
  return { merge: of('pull_request'), main: of('push') };
}

async function gitlab(): Promise<Commands> {
  const jobs = Object.entries(await yaml<GitLabJobs>('gitlab-ci.yml'));
  const of = (text: string) =>
    jobs.flatMap(([name, job]) =>
      name !== 'scan' && job.rules?.some((rule) => rule.if.includes(text)) ? (job.script ?? []) : [],
    );
  return { merge: of('merge_request_event'), main: of('CI_DEFAULT_BRANCH') };
}

/** The statuses of the issues that a branch has, `*` for any, sorted. */
async function statuses(branch: string): Promise<string[]> {
  const headers = { 'x-api-key': key };
  const { body } = await app.api.get<{ data: Issue[] }>(`/api/v1/issues?branch=${branch}`, { headers });
  return body.data.map(({ status }) => status).sort();
}

beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'store-gate-'));
  await installStore();
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const shared = { GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_SERVER_URL: 'https://code.example' };
const pipelines = {
  'GitHub Actions': {
    commands: github,
    main: {
      ...shared,
      GITHUB_ACTIONS: '1',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_NAME: 'main',
    },
    merge: { ...shared, GITHUB_ACTIONS: '1', GITHUB_REPOSITORY: 'acme/shop', GITHUB_HEAD_REF: 'feature' },
    written: 'summary.md',
    says: '## Security gate: failed',
  },
  GitLab: {
    commands: gitlab,
    main: { GITLAB_CI: '1', CI_PROJECT_URL: repository, CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
    merge: { GITLAB_CI: '1', CI_PROJECT_URL: repository, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature' },
    written: 'gate.xml',
    says: '<failure type="HIGH"',
  },
} as const;

describe.each(Object.entries(pipelines))(
  'the job for %s in deploy/ci',
  (_, { commands, main, merge, written, says }) => {
    it('is red on a new finding, green once it is fixed, and resolves it on the service', async () => {
      key = await (await insertOrganization(app)).key('importer');
      const job = await commands();
      expect([job.merge.length, job.main.length]).toEqual([1, 1]);
      await scan(1);
      expect(await type(job.main, main)).toBe(0);
      await scan(2);
      expect([await type(job.merge, merge), await type(job.merge, merge)]).toEqual([6, 6]);
      expect(await readFile(join(folder, written), 'utf8')).toContain(says);
      expect(await statuses('feature')).toEqual(['IGNORED', 'OPEN']);
      expect(await statuses('main')).toEqual(['IGNORED']);
      await scan(1);
      expect(await type(job.merge, merge)).toBe(0);
      expect(await statuses('*')).toEqual(['IGNORED', 'RESOLVED']);
    });
  },
);

describe("docs/scans.md's gate in one line", () => {
  it('works as printed', async () => {
    key = await (await insertOrganization(app)).key('importer');
    const blocks = await shellBlocks('docs/scans.md', 'A gate in one line');
    expect(blocks).toHaveLength(1);
    await scan(2);
    expect(await type(blocks, pipelines.GitLab.merge)).toBe(6);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourcesOf } from '../../src/gate/pipeline.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-forks-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The event of a pull request from a repository; null for one that was deleted. */
async function eventOf(head: string | null): Promise<string> {
  const file = join(folder, `event-${head === null ? 'none' : head.replace('/', '-')}.json`);
  const repo = (name: string) => ({ full_name: name });
  const pull = { head: { repo: head === null ? null : repo(head) }, base: { repo: repo('acme/shop') } };
  await writeFile(file, JSON.stringify({ pull_request: pull, repository: { default_branch: 'main' } }));
  return file;
}

const gitHub = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_HEAD_REF: 'main' };
const gitLab = {
  GITLAB_CI: 'true',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'main',
  CI_MERGE_REQUEST_PROJECT_PATH: 'acme/shop',
};
const azure = {
  TF_BUILD: 'True',
  BUILD_REPOSITORY_URI: 'https://code.example/acme/shop',
  SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/main',
  SYSTEM_PULLREQUEST_ISFORK: 'True',
};
const buildkite = { BUILDKITE: 'true', BUILDKITE_REPO: 'git@code.example:acme/shop.git', BUILDKITE_BRANCH: 'main' };

describe("the branch of a fork's change", () => {
  it.each([
    ['a fork', 'grace/shop', 'grace:main'],
    ['a fork of the same owner', 'acme/other', 'acme/other:main'],
    ['a fork that is gone', null, 'fork:main'],
    ['the repository itself', 'acme/shop', 'main'],
  ])('is distinguished on GitHub: %s', async (_, head, branch) => {
    const env = { ...gitHub, GITHUB_EVENT_PATH: await eventOf(head), GITHUB_BASE_REF: 'develop' };
    expect(sourcesOf(env, folder)).toMatchObject({ branch, defaultBranch: 'main' });
  });

  it('is distinguished on GitHub without an event, when the target branch has the same name', () => {
    expect(sourcesOf({ ...gitHub, GITHUB_BASE_REF: 'main' }, folder).branch).toBe('fork:main');
    expect(sourcesOf({ ...gitHub, GITHUB_BASE_REF: 'develop' }, folder).branch).toBe('main');
  });

  it.each<[string, Record<string, string>, string]>([
    ['GitLab', { ...gitLab, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'people/grace/shop' }, 'people/grace:main'],
    ['GitLab, not a fork', { ...gitLab, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/shop' }, 'main'],
    ['Jenkins', { JENKINS_URL: 'x', CHANGE_BRANCH: 'main', BRANCH_NAME: 'PR-7', CHANGE_FORK: 'grace' }, 'grace:main'],
    ['Jenkins, not a fork', { JENKINS_URL: 'x', CHANGE_BRANCH: 'main', BRANCH_NAME: 'PR-7' }, 'main'],
    ['Azure', { ...azure, SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI: 'https://code.example/grace/shop' }, 'grace:main'],
    ['Azure, of an unknown owner', azure, 'fork:main'],
    ['Azure, not a fork', { ...azure, SYSTEM_PULLREQUEST_ISFORK: 'False' }, 'main'],
    ['Buildkite', { ...buildkite, BUILDKITE_PULL_REQUEST_REPO: 'https://code.example/grace/shop.git' }, 'grace:main'],
    ['Buildkite, that says so itself', { ...buildkite, BUILDKITE_BRANCH: 'grace:main' }, 'grace:main'],
    ['Buildkite, not a fork', { ...buildkite, BUILDKITE_PULL_REQUEST_REPO: 'https://code.example/acme/shop' }, 'main'],
  ])('is distinguished on %s', (_, env, branch) => {
    expect(sourcesOf(env, folder).branch).toBe(branch);
  });
});

describe('a pipeline that does not name the repository', () => {
  it('takes repository and commit from the checkout, and no branch', async () => {
    const sha = 'b'.repeat(40);
    await mkdir(join(folder, 'checkout/.git/refs/heads'), { recursive: true });
    await writeFile(join(folder, 'checkout/.git/HEAD'), 'ref: refs/heads/work\n');
    await writeFile(join(folder, 'checkout/.git/refs/heads/work'), `${sha}\n`);
    const config = '[remote "origin"]\n\turl = https://code.example/acme/shop\n';
    await writeFile(join(folder, 'checkout/.git/config'), config);
    const repository = 'https://code.example/acme/shop';
    const checkout = join(folder, 'checkout');
    expect(sourcesOf({ JENKINS_URL: 'x' }, checkout)).toEqual({ root: checkout, repository, commit: sha });
    const named = { JENKINS_URL: 'x', GIT_URL: 'git@code.example:acme/shop.git', BRANCH_NAME: 'main' };
    const own = { repository: named.GIT_URL, branch: 'main', commit: sha };
    expect(sourcesOf(named, checkout)).toEqual({ root: checkout, ...own });
    const other = { JENKINS_URL: 'x', GIT_URL: 'https://code.example/acme/other' };
    expect(sourcesOf(other, checkout)).toEqual({ repository: other.GIT_URL });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sourcesOf, withoutCredentials } from '../../src/gate/pipeline.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-sources-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(path: string, content: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

const sha = 'a'.repeat(40);
const shop = { repository: 'https://code.example/acme/shop', branch: 'feature/x', commit: sha };

describe('sourcesOf', () => {
  it.each([
    [
      'GitHub, a pull request',
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'https://code.example',
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_REF_NAME: '12/merge',
        GITHUB_HEAD_REF: 'feature/x',
        GITHUB_REF_TYPE: 'branch',
        GITHUB_SHA: sha,
        GITHUB_WORKSPACE: '/builds/shop',
      },
      { ...shop, root: '/builds/shop' },
    ],
    [
      'GitLab, a merge request',
      {
        GITLAB_CI: 'true',
        CI_PROJECT_URL: 'https://code.example/acme/shop',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature/x',
        CI_DEFAULT_BRANCH: 'develop',
        CI_COMMIT_SHA: sha,
        CI_PROJECT_DIR: '/builds/shop',
      },
      { ...shop, root: '/builds/shop', defaultBranch: 'develop' },
    ],
    ['GitLab, a tag', { GITLAB_CI: 'true', CI_COMMIT_TAG: 'v1', CI_COMMIT_SHA: sha }, { commit: sha }],
    [
      'Jenkins',
      {
        JENKINS_URL: 'https://ci.example',
        GIT_URL: 'https://bot:secret@code.example/acme/shop',
        GIT_BRANCH: 'origin/feature/x',
        GIT_COMMIT: sha,
        WORKSPACE: '/jobs/shop',
      },
      { ...shop, root: '/jobs/shop' },
    ],
    [
      'Jenkins, the primary branch',
      { JENKINS_URL: 'https://ci.example', BRANCH_NAME: 'trunk', BRANCH_IS_PRIMARY: 'true' },
      { branch: 'trunk', defaultBranch: 'trunk' },
    ],
    [
      'CircleCI',
      {
        CIRCLECI: 'true',
        CIRCLE_REPOSITORY_URL: shop.repository,
        CIRCLE_BRANCH: 'feature/x',
        CIRCLE_SHA1: sha,
        CIRCLE_WORKING_DIRECTORY: '~/project',
        HOME: '/home/ci',
      },
      { ...shop, root: '/home/ci/project' },
    ],
    [
      'Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_REPO: 'git@code.example:acme/shop.git',
        BUILDKITE_BRANCH: 'feature/x',
        BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
        BUILDKITE_COMMIT: sha,
        BUILDKITE_BUILD_CHECKOUT_PATH: '/var/builds/shop',
      },
      { ...shop, root: '/var/builds/shop', repository: 'git@code.example:acme/shop.git', defaultBranch: 'main' },
    ],
    [
      'Azure, a pull request',
      {
        TF_BUILD: 'True',
        BUILD_REPOSITORY_URI: 'https://org@code.example/acme/shop',
        SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/feature/x',
        BUILD_SOURCEBRANCH: 'refs/pull/12/merge',
        BUILD_SOURCEVERSION: sha,
        BUILD_SOURCESDIRECTORY: 'D:\\a\\1\\s',
      },
      { ...shop, root: 'D:\\a\\1\\s' },
    ],
    [
      'Azure, a pull request of a repository on GitHub',
      { TF_BUILD: 'True', SYSTEM_PULLREQUEST_SOURCEBRANCH: 'feature/x', BUILD_SOURCEBRANCH: 'refs/pull/12/merge' },
      { branch: 'feature/x' },
    ],
  ])('reads the variables of %s', (_, env, sources) => {
    expect(sourcesOf(env, folder)).toEqual(sources);
  });

  it("reads GitHub's default branch from the event", async () => {
    const event = await write('event.json', JSON.stringify({ repository: { default_branch: 'develop' } }));
    const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: event };
    expect(sourcesOf(env, folder)).toEqual({ defaultBranch: 'develop' });
    const broken = await write('broken.json', '{');
    expect(sourcesOf({ ...env, GITHUB_EVENT_PATH: broken }, folder)).toEqual({});
  });

  it('reads a checkout from one of its subfolders, without running git', async () => {
    await write('checkout/.git/HEAD', 'ref: refs/heads/feature/x\n');
    await write('checkout/.git/refs/heads/feature/x', `${sha}\n`);
    await write('checkout/.git/refs/remotes/origin/HEAD', 'ref: refs/remotes/origin/develop\n');
    const config = '[core]\n\tbare = false\n[remote "fork"]\n\turl = https://fork.example/shop\n';
    const origin =
      '[remote "origin"]\n\turl = https://bot:secret@code.example/acme/shop\n[branch "x"]\n\tremote = fork\n';
    await write('checkout/.git/config', config + origin);
    await write('checkout/src/a.ts', '');
    const root = join(folder, 'checkout');
    expect(sourcesOf({}, join(folder, 'checkout/src'))).toEqual({ ...shop, root, defaultBranch: 'develop' });
  });

  it('reads a work tree, packed references and a detached head', async () => {
    await write('main/.git/config', '[remote "upstream"]\n\turl = https://code.example/acme/shop\n');
    await write('main/.git/packed-refs', `# pack-refs with: peeled\n${sha} refs/heads/feature/x\n`);
    await write('main/.git/worktrees/tree/HEAD', 'ref: refs/heads/feature/x\n');
    await write('main/.git/worktrees/tree/commondir', '../..\n');
    await write('tree/.git', `gitdir: ${join(folder, 'main/.git/worktrees/tree')}\n`);
    expect(sourcesOf({}, join(folder, 'tree'))).toEqual({ ...shop, root: join(folder, 'tree') });
    await write('main/.git/HEAD', `${sha}\n`);
    const root = join(folder, 'main');
    expect(sourcesOf({}, join(folder, 'main'))).toEqual({ root, repository: shop.repository, commit: sha });
  });

  it('returns nothing outside a checkout or for a broken one', async () => {
    expect(sourcesOf({}, '/')).toEqual({});
    await write('broken/.git', 'no pointer');
    expect(sourcesOf({}, join(folder, 'broken'))).toEqual({});
  });
});

describe('withoutCredentials', () => {
  it.each([
    ['https://user:pass@code.example/a/b.git?token=x#y', 'https://code.example/a/b.git'],
    ['https://ghp_token@code.example/a', 'https://code.example/a'],
    ['ssh://git@code.example:22/a', 'ssh://code.example:22/a'],
    ['https://us er:p@code.example/a b', 'https://code.example/a%20b'],
    ['https://user:pass@[broken/a', 'https://[broken/a'],
    ['git@code.example:a/b.git', 'git@code.example:a/b.git'],
    ['user:secret@code.example:a/b', 'code.example:a/b'],
    ['/srv/git/a b.git', '/srv/git/a b.git'],
  ])('%s', (given, address) => {
    expect(withoutCredentials(given)).toBe(address);
  });
});

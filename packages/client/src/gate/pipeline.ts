import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseUrl } from '../parse-url.js';
import { branchOf, gitHubBranches, isSameRepository } from './forks.js';

/** What a pipeline or a checkout says about the sources of a report. */
export interface Sources {
  /** The folder of the checkout: paths below it are the same on every machine. */
  root?: string;
  /** The address of the repository, without credentials. */
  repository?: string;
  branch?: string;
  defaultBranch?: string;
  commit?: string;
  /** In ISO 8601. */
  committedAt?: string;
  /** The number or key of the pull request. */
  pullRequest?: string;
}

type Env = NodeJS.ProcessEnv;

/** The address without name, password and query; unchanged if it is not a URL, such as `git@host:path`. */
export function withoutCredentials(address: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) {
    const [login = ''] = address.split('@', 1);
    return login.length < address.length && login.includes(':') && !/[/\s]/.test(login)
      ? address.slice(login.length + 1)
      : address;
  }
  const url = parseUrl(address);
  if (!url) {
    const start = address.indexOf('//') + 2;
    return address.slice(0, start) + address.slice(address.indexOf('@', start) + 1 || start);
  }
  [url.username, url.password, url.search, url.hash] = ['', '', '', ''];
  return url.toString();
}

/** `main` from `refs/heads/main`; undefined for another kind of reference. */
function branchOfRef(ref: string | undefined): string | undefined {
  return /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1];
}

/** The branch of a pull request on Azure: a reference for Azure's own repositories, the bare name for those on GitHub. */
function branchOnAzure(env: Env): string | undefined {
  const source = env['SYSTEM_PULLREQUEST_SOURCEBRANCH'];
  if (!source) return branchOfRef(env['BUILD_SOURCEBRANCH']);
  const branch = source.startsWith('refs/') ? branchOfRef(source) : source;
  if (branch === undefined || env['SYSTEM_PULLREQUEST_ISFORK']?.toLowerCase() !== 'true') return branch;
  const named = branchOf(branch, env['SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI'], env['BUILD_REPOSITORY_URI']);
  return named === branch ? `fork:${branch}` : named;
}

/** Buildkite can be set to put a fork's owner before the branch; then it is already there. */
function branchOnBuildkite(env: Env): string | undefined {
  const branch = env['BUILDKITE_BRANCH'];
  return branch?.includes(':')
    ? branch
    : branch && branchOf(branch, env['BUILDKITE_PULL_REQUEST_REPO'], env['BUILDKITE_REPO']);
}

/** CircleCI writes `~/project`. */
function withoutTilde(folder: string | undefined, env: Env): string | undefined {
  return folder?.startsWith('~/') ? join(env['HOME'] ?? '/', folder.slice(2)) : folder;
}

/** The known pipelines, each with the variable that identifies it. */
const pipelines: {
  isThis: (env: Env) => unknown;
  read: (env: Env) => { [Name in keyof Sources]: string | undefined };
}[] = [
  {
    isThis: (env) => env['GITHUB_ACTIONS'],
    read: (env) => ({
      repository:
        env['GITHUB_REPOSITORY'] && `${env['GITHUB_SERVER_URL'] ?? 'https://github.com'}/${env['GITHUB_REPOSITORY']}`,
      ...gitHubBranches(env),
      root: env['GITHUB_WORKSPACE'],
      commit: env['GITHUB_SHA'],
      pullRequest: /^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '')?.[1],
    }),
  },
  {
    isThis: (env) => env['GITLAB_CI'],
    read: (env) => {
      const [source, target] = [env['CI_MERGE_REQUEST_SOURCE_PROJECT_PATH'], env['CI_MERGE_REQUEST_PROJECT_PATH']];
      const ofRequest = env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'];
      return {
        repository: env['CI_PROJECT_URL'],
        branch: ofRequest ? branchOf(ofRequest, source, target) : env['CI_COMMIT_BRANCH'],
        defaultBranch: env['CI_DEFAULT_BRANCH'],
        root: env['CI_PROJECT_DIR'],
        commit: env['CI_COMMIT_SHA'],
        committedAt: env['CI_COMMIT_TIMESTAMP'],
        pullRequest: env['CI_MERGE_REQUEST_IID'],
      };
    },
  },
  {
    isThis: (env) => env['JENKINS_URL'],
    read: (env) => {
      const { CHANGE_BRANCH: ofChange, CHANGE_FORK: fork } = env;
      const own = env['BRANCH_NAME'] || env['GIT_BRANCH']?.replace(/^origin\//, '');
      const branch = ofChange ? `${fork ? `${fork}:` : ''}${ofChange}` : own;
      const defaultBranch = env['BRANCH_IS_PRIMARY'] === 'true' ? branch : undefined;
      const { GIT_URL: repository, GIT_COMMIT: commit, WORKSPACE: root } = env;
      return { repository, branch, defaultBranch, root, commit, pullRequest: env['CHANGE_ID'] };
    },
  },
  {
    isThis: (env) => env['CIRCLECI'],
    read: (env) => ({
      repository: env['CIRCLE_REPOSITORY_URL'],
      branch: env['CIRCLE_BRANCH'],
      defaultBranch: undefined,
      root: withoutTilde(env['CIRCLE_WORKING_DIRECTORY'], env),
      commit: env['CIRCLE_SHA1'],
      pullRequest: /\/(\d+)$/.exec(env['CIRCLE_PULL_REQUEST'] ?? '')?.[1],
    }),
  },
  {
    isThis: (env) => env['BUILDKITE'],
    read: (env) => ({
      repository: env['BUILDKITE_REPO'],
      branch: branchOnBuildkite(env),
      defaultBranch: env['BUILDKITE_PIPELINE_DEFAULT_BRANCH'],
      root: env['BUILDKITE_BUILD_CHECKOUT_PATH'],
      commit: env['BUILDKITE_COMMIT'],
      pullRequest: /^\d+$/.exec(env['BUILDKITE_PULL_REQUEST'] ?? '')?.[0],
    }),
  },
  {
    isThis: (env) => env['TF_BUILD'],
    read: (env) => ({
      repository: env['BUILD_REPOSITORY_URI'],
      branch: branchOnAzure(env),
      defaultBranch: undefined,
      root: env['BUILD_SOURCESDIRECTORY'],
      commit: env['BUILD_SOURCEVERSION'],
      pullRequest: env['SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'] || env['SYSTEM_PULLREQUEST_PULLREQUESTID'],
    }),
  },
];

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A checkout: its top, and the folder of Git's files, which the file `.git` of a work tree or submodule names. */
interface Checkout {
  top: string;
  git: string;
}

function checkoutAround(start: string): Checkout | null {
  for (let top = resolve(start); ; top = dirname(top)) {
    const git = join(top, '.git');
    if (existsSync(git)) {
      if (statSync(git).isDirectory()) return { top, git };
      const target = /^gitdir: (.+)$/m.exec(textOf(git))?.[1];
      return target === undefined ? null : { top, git: resolve(top, target) };
    }
    if (dirname(top) === top) return null;
  }
}

/** The URL of the remote `origin`, or else of the first one. */
function remoteUrl(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let remote = '';
  for (const line of config.split('\n')) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote "(.+)"$/.exec(section)?.[1] ?? '';
    const url = /^\s*url\s*=\s*"?([^"\s]+)"?\s*$/.exec(line)?.[1];
    if (remote !== '' && url !== undefined && !remotes.has(remote)) remotes.set(remote, url);
  }
  return remotes.get('origin') ?? [...remotes.values()][0];
}

/** The sources according to the checkout around a folder, read without running git. */
function ofCheckout(folder: string): Sources {
  const checkout = checkoutAround(folder);
  if (checkout === null) return {};
  const { top, git } = checkout;
  const common = textOf(join(git, 'commondir')).trim();
  const shared = common === '' ? git : resolve(git, common);
  const head = textOf(join(git, 'HEAD')).trim();
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  const packed = textOf(join(shared, 'packed-refs'))
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  const commit = ref === undefined ? head : textOf(join(shared, ref)).trim() || packed?.split(' ')[0];
  const defaultRef = textOf(join(shared, 'refs/remotes/origin/HEAD')).trim();
  return present({
    root: top,
    repository: remoteUrl(textOf(join(shared, 'config'))),
    branch: branchOfRef(ref),
    defaultBranch: /^ref: refs\/remotes\/origin\/(.+)$/.exec(defaultRef)?.[1],
    commit: /^[\da-f]{40,64}$/.test(commit ?? '') ? commit : undefined,
  });
}

function present(given: { [Name in keyof Sources]: string | undefined }): Sources {
  const { repository } = given;
  const all = { ...given, repository: repository && withoutCredentials(repository) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value)) as Sources;
}

/**
 * The sources of a report: from the pipeline's environment, and from the checkout around `folder`. The checkout supplies the
 * repository, commit and root if the pipeline does not, but not the branch: pipelines check out a commit, or a merge of no branch.
 */
export function sourcesOf(env: Env, folder: string): Sources {
  const pipeline = pipelines.find(({ isThis }) => isThis(env));
  if (!pipeline) return ofCheckout(folder);
  const sources = present(pipeline.read(env));
  if (sources.repository !== undefined && sources.commit !== undefined && sources.root !== undefined) return sources;
  const { repository, commit, root } = ofCheckout(folder);
  const isOfIt = sources.repository === undefined || isSameRepository(sources.repository, repository ?? '');
  return isOfIt ? present({ repository, commit, root, ...sources }) : sources;
}

/** The folder that a caller names: as it is where it is absolute, on whichever system, else from the present folder. */
export function rootFrom(given: string, folder: string): string {
  return /^(?:[a-z]:[\\/]|[\\/]|file:)/i.test(given) ? given : resolve(folder, given);
}

import { readFileSync } from 'node:fs';

type Env = NodeJS.ProcessEnv;

/** Whether two addresses lead to the same repository, by whatever protocol. */
export function isSameRepository(one: string, other: string): boolean {
  return pathOf(one) === pathOf(other);
}

/** `acme/shop` from an address such as https://code.example/acme/shop.git or git@code.example:acme/shop. */
function pathOf(repository: string): string {
  return repository
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\/|^[^/:]*:/i, '')
    .replace(/\.git\/?$|\/$/i, '')
    .toLowerCase();
}

/**
 * The name of a branch as seen from the repository that it is to be merged into: a fork's has its owner in front, as in
 * `grace:main`. Otherwise a fork's `main` would count as the default branch, and its report as the known state.
 */
export function branchOf(branch: string, head: string | undefined, base: string | undefined): string {
  const [from, into] = [pathOf(head ?? ''), pathOf(base ?? '')];
  if (from === '' || from === into) return branch;
  const owner = from.slice(0, Math.max(0, from.lastIndexOf('/')));
  const isOwnersOther = owner === '' || owner === into.slice(0, Math.max(0, into.lastIndexOf('/')));
  return `${isOwnersOther ? from : owner}:${branch}`;
}

interface GitHubEvent {
  repository?: { default_branch?: unknown };
  pull_request?: { head?: { repo?: { full_name?: unknown } | null }; base?: { repo?: { full_name?: unknown } } };
}

function eventOf(path: string | undefined): GitHubEvent {
  try {
    const event = JSON.parse(readFileSync(path ?? '', 'utf8')) as GitHubEvent | null;
    return typeof event === 'object' && event !== null ? event : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The branch of a pull request on GitHub; the event that started the workflow says which repository it is from. */
function branchOfPullRequest(head: string, { pull_request: pull }: GitHubEvent, env: Env): string {
  const base = textOf(pull?.base?.repo?.full_name) ?? env['GITHUB_REPOSITORY'];
  const from = textOf(pull?.head?.repo?.full_name);
  if (from !== undefined) return branchOf(head, from, base);
  // The fork has been deleted; or, without an event, the target branch has the same name, so the branch is a fork's.
  const isFork = pull?.head?.repo === null || head === env['GITHUB_BASE_REF'];
  return isFork ? `fork:${head}` : head;
}

/** Branch and default branch of a GitHub workflow. */
export function gitHubBranches(env: Env): { branch: string | undefined; defaultBranch: string | undefined } {
  const event = eventOf(env['GITHUB_EVENT_PATH']);
  const head = env['GITHUB_HEAD_REF'];
  const ofPush = env['GITHUB_REF_TYPE'] === 'branch' ? env['GITHUB_REF_NAME'] : undefined;
  return {
    branch: head ? branchOfPullRequest(head, event, env) : ofPush,
    defaultBranch: textOf(event.repository?.default_branch),
  };
}

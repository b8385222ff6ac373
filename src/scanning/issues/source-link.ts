import { parseUrl } from '../../config/parse-url.js';

/** Lines of a file of a repository. */
export interface SourceLines {
  path: string;
  startLine: number | null;
  endLine: number | null;
}

/** What of a repository a scan looked at; without either, the default branch. */
export interface SourceVersion {
  commit: string | null;
  branch: string | null;
}

type Link = (repository: string, version: SourceVersion, lines: SourceLines) => string;

/** Each segment by itself, so that names of branches and files may have any characters. */
function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function refOf({ commit, branch }: SourceVersion): string {
  return encoded(commit ?? branch ?? 'HEAD');
}

/** The lines after the address of a file: `begin`, the first, and `between` with the last where there are several. */
function anchor({ startLine, endLine }: SourceLines, begin: string, between: string): string {
  if (startLine === null) return '';
  return `${begin}${startLine}${endLine !== null && endLine > startLine ? `${between}${endLine}` : ''}`;
}

const github: Link = (repository, version, lines) =>
  `${repository}/blob/${refOf(version)}/${encoded(lines.path)}${anchor(lines, '#L', '-L')}`;
const gitlab: Link = (repository, version, lines) =>
  `${repository}/-/blob/${refOf(version)}/${encoded(lines.path)}${anchor(lines, '#L', '-')}`;
const bitbucket: Link = (repository, version, lines) =>
  `${repository}/src/${refOf(version)}/${encoded(lines.path)}${anchor(lines, '#lines-', ':')}`;

const azure: Link = (repository, { commit, branch }, { path, startLine, endLine }) => {
  const query = new URLSearchParams({ path: `/${path}` });
  if (commit !== null) query.set('version', `GC${commit}`);
  else if (branch !== null) query.set('version', `GB${branch}`);
  if (startLine !== null) {
    query.set('line', String(startLine));
    // The end is before the first column of the line that follows.
    query.set('lineEnd', String(Math.max(endLine ?? startLine, startLine) + 1));
    query.set('lineStartColumn', '1');
    query.set('lineEndColumn', '1');
  }
  return `${repository}?${query.toString().replaceAll('+', '%20')}`;
};

/** The code hosts whose addresses of lines are known, with those that organizations run under such a name. */
const hosts: [host: RegExp, link: Link][] = [
  [/^(?:www\.)?github\.com$|^github\./, github],
  [/^gitlab\./, gitlab],
  [/^bitbucket\.org$/, bitbucket],
  [/^dev\.azure\.com$|\.visualstudio\.com$/, azure],
];

/** A path below the root of a repository, without `./`; null for any other. */
function belowRoot(path: string): string | null {
  const plain = path.replace(/^(?:\.\/)+/, '');
  if (plain === '' || /^\/|^[a-z][a-z\d+.-]*:|\\/i.test(plain)) return null;
  return plain.split('/').includes('..') ? null : plain;
}

/**
 * The address of lines at the code host of `sourceUrl`, in the version that a scan looked at; null for hosts that are not known,
 * and for paths that do not lie in the repository.
 */
export function sourceLink(sourceUrl: string, version: SourceVersion, lines: SourceLines): string | null {
  const url = parseUrl(sourceUrl);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  const [, link] = hosts.find(([host]) => host.test(url.hostname)) ?? [];
  const path = belowRoot(lines.path.toWellFormed());
  if (link === undefined || path === null) return null;
  const repository = `${url.origin}${url.pathname.replace(/\/$/, '').replace(/\.git$/, '')}`;
  return link(repository, version, { ...lines, path });
}

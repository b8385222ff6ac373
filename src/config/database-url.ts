import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl } from './parse-url.js';

const example = 'it takes a URL such as postgres://user:password@host:5432/database';
/** The parts before, in and after the host. A password may hold a comma. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is;

/** The target of a URL, without its secrets: `host:5432/database`. */
export function placeOf(url: string): string {
  const [, , host = '', after = ''] = parts.exec(url) ?? [];
  return `${host}${after.split('?')[0]}`;
}

/** The fault of a database URL, in words without its secrets. */
export function databaseUrlProblem(url: string): string | undefined {
  const [, , host, after = ''] = parts.exec(url) ?? [];
  if (host === undefined) return example;
  const given = new URLSearchParams(after.split('?')[1]);
  if (host.includes(',') || given.get('host')?.includes(',') || given.has('target_session_attrs')) {
    return (
      'it takes one address. Let it lead to HAProxy, a pooler or the endpoint of a managed server, which ' +
      'finds the primary: docs/scale.md, step 5, has a configuration'
    );
  }
  return parseUrl(url) ? undefined : example;
}

/** Reads DATABASE_URL or DATABASE_URL_DIRECT. */
export function readDatabaseUrl(
  read: EnvironmentReader,
  variable: 'DATABASE_URL' | 'DATABASE_URL_DIRECT',
): string | undefined {
  const url = read.text(variable);
  const problem = url === undefined ? undefined : databaseUrlProblem(url);
  if (problem === undefined) return url;
  read.problems.push(`${variable} cannot be used: ${problem}`);
  return undefined;
}

import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl } from './parse-url.js';

/** A server that a URL of a database names. */
export interface DatabaseHost {
  name: string;
  port: number;
  /** The URL with only this host. */
  url: string;
}

const defaultPort = 5432;
const example = 'a URL such as postgres://user:password@host:5432/database';
/** The parts before, in and after the hosts. A password may hold a comma. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is;
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^[\]:\s]+)(?::(\d{1,5}))?$/i;
const writableAttributes = ['read-write', 'primary'];

function split(url: string): [before: string, hosts: string[], after: string] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? [];
  return [before, hosts.split(','), after];
}

function sessionAttributes(url: string): string | null {
  return new URLSearchParams(split(url)[2].split('?')[1]).get('target_session_attrs');
}

/** The hosts of a valid URL (`databaseUrlProblem`), in their order. */
export function databaseHosts(url: string): DatabaseHost[] {
  const [before, hosts, after] = split(url);
  if (hosts.length === 1) return [hostOf(url)];
  return hosts.map((host) => hostOf(`${before}${host}${after}`));
}

function hostOf(url: string): DatabaseHost {
  const { hostname, port } = new URL(url);
  return { name: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'), port: Number(port || defaultPort), url };
}

/** Whether to look for the primary, as libpq does where a URL asks for it or names several hosts. */
export function isPrimaryAsked(url: string): boolean {
  return databaseHosts(url).length > 1 || sessionAttributes(url) !== null;
}

/** The target of a URL, without its secrets: `host1:5432,host2:5432/database`. */
export function placeOf(url: string): string {
  const [, hosts, after] = split(url);
  return `${hosts.join(',')}${after.split('?')[0]}`;
}

function hostsProblem([before, hosts, after]: ReturnType<typeof split>): string | undefined {
  for (const [index, host] of hosts.entries()) {
    const which = `host ${index + 1} of ${hosts.length}`;
    if (host.trim() === '') return `${which} is empty`;
    const port = hostAndPort.exec(host)?.[2];
    const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
    if (!hostAndPort.test(host) || !isPort) {
      return `${which} takes a name or an address, and a port from 1 to 65535 after a colon`;
    }
    if (!parseUrl(`${before}${host}${after}`)) return `it takes ${example}`;
  }
  return undefined;
}

/** The fault of a database URL, in words without its secrets. */
export function databaseUrlProblem(url: string): string | undefined {
  if (!parts.test(url)) return `it takes ${example}`;
  const [before, hosts, after] = split(url);
  const problem = hosts.length > 1 ? hostsProblem([before, hosts, after]) : undefined;
  if (problem !== undefined) return problem;
  if (hosts.length === 1 && !parseUrl(url)) return `it takes ${example}`;
  const given = new URLSearchParams(after.split('?')[1]);
  if (given.get('host')?.includes(','))
    return 'several hosts stand before the path, as in postgres://host1,host2/database';
  const attributes = given.get('target_session_attrs');
  if (attributes === null || writableAttributes.includes(attributes)) return undefined;
  return `the service writes, so target_session_attrs is ${writableAttributes.join(' or ')}, or is left out`;
}

/** Reads DATABASE_URL or DATABASE_URL_DIRECT, which may name several hosts of which one is the primary. */
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

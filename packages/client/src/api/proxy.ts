import { parseUrl } from '../parse-url.js';
import { exitCodes, Failure } from '../failure.js';

/** A proxy between the client and the service. */
export interface Proxy {
  url: URL;
  /** The variable that names it. */
  from: string;
}

/** How long a proxy may take to answer. */
const patienceMs = 10_000;

/** The value of a variable in lower case, which programs agree on, or in upper case. */
function variable(env: NodeJS.ProcessEnv, name: string): [from: string, value: string] | null {
  for (const from of [name.toLowerCase(), name]) {
    const value = env[from]?.trim();
    if (value) return [from, value];
  }
  return null;
}

const local = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether NO_PROXY names a host: by itself, as the end of its name, with a port, or as `*`. */
function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const portOf = port || (protocol === 'https:' ? '443' : '80');
  return exceptions.split(/[\s,]+/).some((one) => {
    if (one === '*') return true;
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(one.toLowerCase()) ?? [];
    if (name === '' || (onlyPort !== undefined && onlyPort !== portOf)) return false;
    const suffix = name.replace(/^\*?\./, '');
    return hostname === suffix || hostname.endsWith(`.${suffix}`);
  });
}

/**
 * The proxy that the environment names for an address: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY excepts the host. What is on
 * this machine is called directly.
 */
export function proxyFor(address: string, env: NodeJS.ProcessEnv): Proxy | null {
  const service = new URL(address);
  const named = variable(env, service.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (!named || local.test(service.hostname)) return null;
  const [, exceptions = ''] = variable(env, 'NO_PROXY') ?? [];
  if (isExcepted(service, exceptions)) return null;
  const [from, value] = named;
  const url = parseUrl(value.includes('://') ? value : `http://${value}`);
  if (url && /^https?:$/.test(url.protocol)) return { url, from };
  // The value may hold a password.
  throw new Failure(`${from} is no address of a proxy: give one such as http://proxy.example:8080`, exitCodes.usage);
}

/** A proxy in words, without its password. */
export function proxyInWords({ url, from }: Proxy): string {
  return `${url.protocol}//${url.host} (${from})`;
}

/** The header by which a proxy knows who asks; undefined where its address names nobody. */
function tokenOf({ url: { username, password } }: Proxy): string | undefined {
  if (!username) return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** The status with which a proxy answers the wish for a tunnel; null if it does not answer. */
export async function answerOfProxy(proxy: Proxy, address: string): Promise<number | null> {
  const { url } = proxy;
  const service = new URL(address);
  const path = `${service.hostname}:${service.port || (service.protocol === 'https:' ? '443' : '80')}`;
  const token = tokenOf(proxy);
  const headers = token === undefined ? {} : { 'proxy-authorization': token };
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    const asked = request({
      method: 'CONNECT',
      host: url.hostname,
      port: url.port,
      path,
      headers,
      timeout: patienceMs,
    });
    asked.once('connect', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? null);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(null));
    asked.once('close', () => resolve(null));
    asked.end();
  });
}

/** What sends requests by a proxy, for `fetch`. */
export async function dispatcherFor(proxy: Proxy): Promise<unknown> {
  const { ProxyAgent } = await import('undici');
  const { url } = proxy;
  const token = tokenOf(proxy);
  return new ProxyAgent({
    uri: `${url.protocol}//${url.host}`,
    ...(token !== undefined && { token }),
    proxyTunnel: false,
  });
}

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '../../config/settings.js';
import { isLoopback, limitKeyOf, type TrustsProxy } from '../net/caller-address.js';

type Bounds = Pick<Settings, 'maxConnections' | 'production' | 'requestTimeoutSeconds' | 'trustProxy'>;

/** The time limit for a request's line and headers. */
const headersTimeoutMs = 15_000;
/** How many addresses can have their maximum of connections at once. */
const addresses = 8;
/**
 * Longer than proxies keep an idle connection (Caddy: two minutes). If we close it first, the next request may already
 * be on its way and gets no response.
 */
const idleOfProxyMs = 130_000;

/** Counts the connections of each address and closes those beyond the bound; exempt addresses are not counted. */
function boundAddresses(server: Server, most: number, isExempt: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const key = limitKeyOf(address);
    if (isExempt(address)) return;
    const count = (open.get(key) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(key, count);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}

/** Bounds the connections, in all and of one address, and the time in which a request must arrive. */
export function boundConnections(server: Server, bounds: Bounds, trustsProxy: TrustsProxy): void {
  const { maxConnections, requestTimeoutSeconds } = bounds;
  server.maxConnections = maxConnections;
  server.requestTimeout = requestTimeoutSeconds * 1_000;
  server.headersTimeout = Math.min(headersTimeoutMs, server.requestTimeout);
  if (bounds.trustProxy !== false) server.keepAliveTimeout = idleOfProxyMs;
  const isOwn = (address: string): boolean => !bounds.production && isLoopback(address);
  boundAddresses(server, Math.ceil(maxConnections / addresses), (address) => isOwn(address) || trustsProxy(address, 0));
}

/**
 * Whether a request names its host more than once: two readers could take it for two different ones (RFC 9112, 3.2).
 */
export function namesSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

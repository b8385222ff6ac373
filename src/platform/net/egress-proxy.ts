import { Agent as HttpAgent, type ClientRequestArgs, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { parseUrl } from '../../config/parse-url.js';
import { exchangeFailure } from './exchange-failure.js';
import { approvedAddresses, type Egress } from './host-approval.js';
import { TargetUnreachable } from './target-errors.js';

type Done = (error: Error | null, socket: Duplex) => void;

const connectMs = 10_000;

/** Reads EGRESS_PROXY; throws an Error that says what is wrong. */
export function parseEgressProxy(text: string): URL {
  const url = parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search !== '') {
    throw new Error('write it like http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128');
  }
  return url;
}

function refusal(status: number, hasPassword: boolean): TargetUnreachable {
  if (status !== 407) {
    return new TargetUnreachable('proxy', `The proxy of this service does not connect to that address (${status})`);
  }
  const sentence = hasPassword
    ? 'The proxy of this service refuses its password (407): an operator has to correct EGRESS_PROXY'
    : 'The proxy of this service asks for a password (407): an operator has to add it to EGRESS_PROXY';
  return new TargetUnreachable('proxy', sentence);
}

/**
 * Opens tunnels through a proxy (CONNECT, RFC 9110, 9.3.6). A name is resolved and checked here as without a proxy, and the
 * proxy is asked for the approved address: it resolves nothing, so that it cannot be led elsewhere.
 */
export class EgressProxy {
  private readonly authorization: string | undefined;

  constructor(
    private readonly proxy: URL,
    private readonly egress: Egress,
  ) {
    const { username, password } = proxy;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    if (username !== '') this.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  /** A connection to this host and port through the proxy; throws `TargetRefused` and `TargetUnreachable`. */
  async tunnel(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const [approved] = isIP(host) === 0 ? await approvedAddresses(host, this.egress) : [{ address: host }];
    const address = approved?.address ?? host;
    return this.connect(`${isIP(address) === 6 ? `[${address}]` : address}:${port}`, signal);
  }

  private connect(authority: string, signal: AbortSignal): Promise<Socket> {
    const { protocol, hostname, port } = this.proxy;
    const isTls = protocol === 'https:';
    const headers: Record<string, string> = { host: authority };
    if (this.authorization !== undefined) headers['proxy-authorization'] = this.authorization;
    const options: ClientRequestArgs = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (isTls ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers,
      agent: false,
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(options);
      request.once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(refusal(statusCode, this.authorization !== undefined));
      });
      request.once('error', (cause) => {
        if (cause instanceof TargetUnreachable) return reject(cause);
        const sentence = 'The proxy of this service does not answer: an operator has to look after EGRESS_PROXY';
        reject(new TargetUnreachable('proxy', sentence, { cause }));
      });
      request.end();
    });
  }
}

interface Target {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
}

function opened(proxy: EgressProxy, { host, port }: Target, wrap: (socket: Socket) => Duplex, done: Done): undefined {
  const name = String(host).replace(/^\[|\]$/g, '');
  proxy.tunnel(name, Number(port), AbortSignal.timeout(connectMs)).then(
    (socket) => done(null, wrap(socket)),
    (error: unknown) => done(exchangeFailure(error, name), undefined as unknown as Duplex),
  );
}

/** Connects to http addresses through the proxy. */
class ProxiedHttpAgent extends HttpAgent {
  constructor(private readonly proxy: EgressProxy) {
    super({ keepAlive: false });
  }

  override createConnection(options: ClientRequestArgs, done: Done): undefined {
    return opened(this.proxy, options, (socket) => socket, done);
  }
}

/** Connects to https addresses through the proxy; the certificate is that of the host behind it. */
class ProxiedHttpsAgent extends HttpsAgent {
  constructor(private readonly proxy: EgressProxy) {
    super({ keepAlive: false, maxCachedSessions: 0, rejectUnauthorized: true });
  }

  override createConnection(options: ClientRequestArgs & ConnectionOptions, done: Done): undefined {
    const host = String(options.host);
    const servername = isIP(host) === 0 ? host : '';
    const tls = (socket: Socket) => connectTls({ ...options, socket, servername, path: undefined });
    return opened(this.proxy, options, tls, done);
  }
}

/** The agents by which requests go through the proxy. */
export function proxiedAgents(proxy: EgressProxy): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  return { httpAgent: new ProxiedHttpAgent(proxy), httpsAgent: new ProxiedHttpsAgent(proxy) };
}

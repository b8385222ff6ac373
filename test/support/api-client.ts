import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { ContractCheck } from './contract.js';

export interface ApiAnswer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface ApiRequest {
  token?: string | undefined;
  json?: unknown;
  /** Sent as it is. */
  raw?: NonNullable<RequestInit['body']>;
  headers?: Record<string, string>;
}

interface Asked {
  method: string;
  headers: Record<string, string>;
  body?: NonNullable<RequestInit['body']>;
}

interface Response {
  status: number;
  type: string;
  headers: Headers;
  text: string;
}

/** A socket is given up before the service, which waits for five seconds, closes it. */
const agent = new Agent({ keepAlive: true, timeout: 4_000 });
/** What fetch says of itself. */
const usual = { 'user-agent': 'node', accept: '*/*', 'accept-encoding': 'gzip' };
/** A longer body may be refused and its connection closed before it was sent, which fetch copes with. */
const mostBytes = 65_536;

/** Calls the service over HTTP, and holds every response to the published interface description. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly check: ContractCheck,
  ) {}

  get = <T = unknown>(path: string, request?: ApiRequest) => this.send<T>('GET', path, request);
  post = <T = unknown>(path: string, request?: ApiRequest) => this.send<T>('POST', path, request);
  put = <T = unknown>(path: string, request?: ApiRequest) => this.send<T>('PUT', path, request);
  patch = <T = unknown>(path: string, request?: ApiRequest) => this.send<T>('PATCH', path, request);
  delete = <T = unknown>(path: string, request?: ApiRequest) => this.send<T>('DELETE', path, request);

  /** Sends one request. Paths are below the base URL: `/api/v1/products/`. */
  async send<T>(
    method: string,
    path: string,
    { token, json, raw, headers = {} }: ApiRequest = {},
  ): Promise<ApiAnswer<T>> {
    const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
    const asked: Asked = {
      method,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    };
    const response = await (isPlain(asked) ? ask(this.baseUrl + path, asked) : fetched(this.baseUrl + path, asked));
    const { status, type, text } = response;
    const parsed: unknown = type.startsWith('application/json') && text !== '' ? JSON.parse(text) : text;
    this.check(method.toLowerCase(), path, status, type, parsed);
    return {
      status,
      get headers() {
        return response.headers;
      },
      body: parsed as T,
    };
  }
}

function isPlain({ headers, body = '' }: Asked): boolean {
  const isShort = (typeof body === 'string' || body instanceof Uint8Array) && body.length <= mostBytes;
  return isShort && !Object.keys(headers).some((name) => /^(accept-encoding|content-length)$/i.test(name));
}

/** What fetch throws, and whether the connection had carried a request before. */
class RequestFailed extends TypeError {
  constructor(
    cause: NodeJS.ErrnoException,
    readonly isClosedMeanwhile: boolean,
  ) {
    super('The request failed', { cause });
  }
}

/**
 * As fetch would, for a third of its processor time. A kept connection that the service closes at that moment carries no
 * request; a read is sent again over another one, as Node's documentation of `reusedSocket` advises.
 */
async function ask(address: string, asked: Asked): Promise<Response> {
  for (;;) {
    try {
      return await askOnce(address, asked);
    } catch (error) {
      const isAskedAgain = asked.method === 'GET' && error instanceof RequestFailed && error.isClosedMeanwhile;
      if (!isAskedAgain) throw error;
    }
  }
}

function askOnce(address: string, { method, headers, body }: Asked): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(address);
  const isTyped = typeof body !== 'string' || Object.keys(headers).some((name) => /^content-type$/i.test(name));
  const sent: Record<string, string | number> = { ...usual, ...headers };
  if (!isTyped) sent['content-type'] = 'text/plain;charset=UTF-8';
  if (body !== undefined) sent['content-length'] = Buffer.byteLength(body as string | Uint8Array);
  const path = pathname + search;
  return new Promise((resolve, reject) => {
    const asking = openRequest({ hostname: bare(hostname), port, path, method, agent, headers: sent }, (response) => {
      received(response).then(resolve, fail);
    });
    const fail = (cause: NodeJS.ErrnoException): void =>
      reject(new RequestFailed(cause, asking.reusedSocket && cause.code === 'ECONNRESET'));
    asking.on('error', fail);
    asking.end(body);
  });
}

/** A host as sockets have it: in a URL, an IPv6 address is in brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The text of a response; a stream of events never ends, so the client leaves it as soon as it has begun. */
function textOf(response: IncomingMessage): Promise<string> {
  const { 'content-type': type = '', 'content-encoding': encoding } = response.headers;
  if (type.startsWith('text/event-stream')) {
    response.destroy();
    return Promise.resolve('');
  }
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      resolve((encoding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString());
    });
  });
}

async function received(response: IncomingMessage): Promise<Response> {
  const text = await textOf(response);
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'] ?? '',
    text,
    get headers() {
      const pairs = response.rawHeaders.flatMap((name, n, all) => (n % 2 === 0 ? [[name, all[n + 1] ?? '']] : []));
      return new Headers(pairs);
    },
  };
}

async function fetched(address: string, asked: Asked): Promise<Response> {
  const response = await fetch(address, { ...asked, redirect: 'manual' });
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return { status, headers, type, text: await response.text() };
  await response.body?.cancel();
  return { status, headers, type, text: '' };
}

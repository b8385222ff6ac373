import { Agent, type IncomingMessage } from 'node:http';
import supertest, { type Response as Answer, type Test } from 'supertest';
import type { ContractCheck } from './contract.js';

export interface ApiAnswer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface ApiRequest {
  token?: string | undefined;
  json?: unknown;
  /** Sent as fetch would send it. */
  raw?: NonNullable<RequestInit['body']>;
  headers?: Record<string, string>;
}

/** A connection is given up before the service, which waits for five seconds, closes it. */
const agent = new Agent({ keepAlive: true, timeout: 4_000 });

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
  async send<T>(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    const { status, headers, text } = await asked(this.request(method, path), request);
    const type = headers.get('content-type') ?? '';
    const body: unknown = type.startsWith('application/json') && text !== '' ? JSON.parse(text) : text;
    this.check(method.toLowerCase(), path, status, type, body);
    return { status, headers, body: body as T };
  }

  private request(method: string, path: string): Test {
    const test = supertest(this.baseUrl)[method.toLowerCase() as 'get'](path).agent(agent);
    // The service may close a kept connection at the moment at which it carries a request.
    return method === 'GET'
      ? test.retry(1, (error) => (error as { code?: string } | null)?.code === 'ECONNRESET')
      : test;
  }
}

async function asked(test: Test, { token, json, raw, headers = {} }: ApiRequest) {
  test.set('User-Agent', 'node').buffer(true).parse(readText);
  if (token !== undefined) test.auth(token, { type: 'bearer' });
  const body = raw === undefined ? undefined : new Response(raw);
  const type = json === undefined ? body?.headers.get('content-type') : 'application/json';
  if (type) test.set('Content-Type', type);
  test.set(headers);
  const bytes = json === undefined ? body && Buffer.from(await body.arrayBuffer()) : Buffer.from(JSON.stringify(json));
  // Otherwise superagent would write bytes of JSON as JSON.
  if (bytes) test.serialize((sent: unknown) => sent as string).send(bytes);
  const response = await test;
  const pairs = Object.entries(response.headers as Record<string, string | string[]>);
  return {
    status: response.status,
    headers: new Headers(
      pairs.flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
    ),
    // superagent reads no body of an answer to HEAD.
    text: typeof response.body === 'string' ? response.body : '',
  };
}

/** Reads the text of a response. A stream of events never ends, so the client leaves it as soon as it has begun. */
function readText(response: Answer, done: (error: Error | null, text: string) => void): void {
  if (String(response.headers['content-type']).startsWith('text/event-stream')) {
    (response as unknown as IncomingMessage).destroy();
    done(null, '');
    return;
  }
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks).toString()));
}

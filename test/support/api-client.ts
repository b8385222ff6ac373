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
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const type = response.headers.get('content-type') ?? '';
    const text = await textOf(response, type);
    const parsed: unknown = type.startsWith('application/json') && text !== '' ? JSON.parse(text) : text;
    this.check(method.toLowerCase(), path, response.status, type, parsed);
    return { status: response.status, headers: response.headers, body: parsed as T };
  }
}

/** A stream of events never ends, so the client leaves it as soon as it has begun. */
async function textOf(response: Response, type: string): Promise<string> {
  if (!type.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

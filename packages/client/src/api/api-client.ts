import { setTimeout as sleep } from 'node:timers/promises';
import { clientVersion, versionNotice } from '../version.js';
import { refusal, strangeAnswer } from './answer-failures.js';
import { connectionFailure } from './connection-failures.js';
import type { Access } from './access.js';

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface Upload {
  /** Opens the bytes; called again for each attempt. */
  open: () => AsyncIterable<Uint8Array>;
  /** The number of bytes, if it is known. */
  size: number | undefined;
  isRepeatable: boolean;
  /** With this key the service accepts it once, however often it is sent. */
  idempotencyKey?: string;
}

const timeoutMs = 30_000;
/** A proxy that holds streams back may hold back their headers too. */
const streamPatienceMs = 5_000;
const mostTries = 4;
const longestWaitSeconds = 60;

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function waitSeconds(response: Response): number {
  const given = response.headers.get('retry-after') ?? '';
  if (/^\d+$/.test(given)) return Number(given);
  const until = Date.parse(given);
  return Number.isNaN(until) ? 1 : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}

interface Request {
  query?: Query;
  json?: unknown;
  upload?: Upload | undefined;
  /** Whether a response without a body is acceptable. */
  isSilent?: boolean;
  /** The version that the change is based on. */
  ifMatch?: string | undefined;
}

/** The service's response, and the version of the resource in it. */
export interface Versioned<T> {
  body: T;
  text: string;
  etag: string | undefined;
}

/** Calls the service; every error is a `Failure` with a sentence and an exit code. */
export class ApiClient {
  private isVersionKnown = false;

  constructor(
    readonly access: Access,
    private readonly notify: (message: string) => void,
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {}

  get address(): string {
    return this.access.address;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return (await this.call<T>('GET', path, { query })).body;
  }

  /** The JSON of a response, with its exact bytes. */
  async getText(path: string): Promise<string> {
    return (await this.call('GET', path, {})).text;
  }

  getVersioned<T>(path: string): Promise<Versioned<T>> {
    return this.call<T>('GET', path, {});
  }

  async post<T>(path: string, query: Query = {}, upload?: Upload): Promise<T> {
    return (await this.call<T>('POST', path, { query, upload })).body;
  }

  /** Sends a body as JSON. Throws `ChangedMeanwhile` if the version `ifMatch` is no longer the newest. */
  async send<T>(method: 'POST' | 'PATCH', path: string, json: unknown, ifMatch?: string): Promise<T> {
    return (await this.call<T>(method, path, { json, ifMatch })).body;
  }

  /** For responses without a body. */
  async order(method: 'POST' | 'DELETE', path: string): Promise<void> {
    await this.call(method, path, { isSilent: true });
  }

  /**
   * Opens a stream of server-sent events; the response may be anything else. Without a response it says why: there is no
   * connection, or something on the way holds the stream back.
   */
  async stream(path: string, query: Query): Promise<Response | 'no connection' | 'held back'> {
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(), streamPatienceMs);
    try {
      const url = `${this.address}/api/v1/${path}${queryText(query)}`;
      const headers = { ...this.headers({}), accept: 'text/event-stream' };
      return await fetch(url, { headers, redirect: 'manual', signal: opening.signal });
    } catch {
      return opening.signal.aborted ? 'held back' : 'no connection';
    } finally {
      clearTimeout(timer);
    }
  }

  private async call<T>(method: string, path: string, request: Request): Promise<Versioned<T>> {
    const url = `${this.address}/api/v1/${path}${queryText(request.query ?? {})}`;
    for (let tries = 1; ; tries++) {
      const response = await this.fetch(method, url, request);
      const { body, text } = await this.bodyOf(response);
      this.compareVersions(response);
      if (response.ok) {
        if (request.isSilent || (typeof body === 'object' && body !== null)) {
          return { body: body as T, text, etag: response.headers.get('etag') ?? undefined };
        }
        throw strangeAnswer(this.address, response.headers.get('content-type') ?? 'no content type');
      }
      const seconds = waitSeconds(response);
      const isRepeatable = request.upload?.isRepeatable !== false;
      const isWorthWaiting = seconds <= longestWaitSeconds && tries < mostTries && isRepeatable;
      if (response.status !== 429 || !isWorthWaiting) throw refusal(response, body, this.access);
      this.notify(`The service is asked too much; trying again in ${seconds} s`);
      await this.wait(seconds * 1_000);
    }
  }

  /** Reports once that the service has a different version. */
  private compareVersions({ headers }: Response): void {
    const version = headers.get('x-service-version');
    if (version === null || this.isVersionKnown) return;
    this.isVersionKnown = true;
    const notice = versionNotice(version);
    if (notice !== null) this.notify(notice);
  }

  private async fetch(method: string, url: string, request: Request): Promise<Response> {
    const { json, upload } = request;
    try {
      return await fetch(url, {
        method,
        headers: this.headers(request),
        // A redirect must not send the key to another host.
        redirect: 'manual',
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        // A report may be piped in from a scanner that is still running.
        ...(upload ? { body: upload.open(), duplex: 'half' } : { signal: AbortSignal.timeout(timeoutMs) }),
      });
    } catch (error) {
      throw connectionFailure(error, this.address);
    }
  }

  private headers({ json, upload, ifMatch }: Request): Record<string, string> {
    return {
      accept: 'application/json',
      'x-client-version': clientVersion,
      ...this.access.headers,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(upload ? { 'content-type': 'application/octet-stream' } : {}),
      ...(upload?.idempotencyKey === undefined ? {} : { 'idempotency-key': upload.idempotencyKey }),
      ...(upload?.size === undefined ? {} : { 'content-length': String(upload.size) }),
    };
  }

  /** The text of a response, and its JSON; undefined for anything else. */
  private async bodyOf(response: Response): Promise<{ text: string; body?: unknown }> {
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw connectionFailure(error, this.address);
    }
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return { text };
    try {
      return { text, body: JSON.parse(text) as unknown };
    } catch {
      return { text };
    }
  }
}

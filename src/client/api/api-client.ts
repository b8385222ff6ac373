import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, strangeAnswer } from './answer-failures.js';
import { connectionFailure } from './connection-failures.js';
import { apiKey, serviceAddress } from './service-address.js';

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface Upload {
  /** Opens the bytes; called again for each attempt. */
  open: () => AsyncIterable<Uint8Array>;
  /** The number of bytes, where it is known. */
  size: number | undefined;
  isRepeatable: boolean;
}

const timeoutMs = 30_000;
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

/** Calls the service; every error is a `Failure` with a sentence and an exit code. */
export class ApiClient {
  readonly address: string;
  private readonly key: string | null;

  constructor(
    env: NodeJS.ProcessEnv,
    private readonly notify: (message: string) => void,
  ) {
    this.address = serviceAddress(env);
    this.key = apiKey(env);
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.call<T>('GET', path, query);
  }

  post<T>(path: string, query: Query = {}, upload?: Upload): Promise<T> {
    return this.call<T>('POST', path, query, upload);
  }

  private async call<T>(method: string, path: string, query: Query, upload?: Upload): Promise<T> {
    const url = `${this.address}/api/v1/${path}${queryText(query)}`;
    for (let tries = 1; ; tries++) {
      const response = await this.send(method, url, upload);
      const body = await this.bodyOf(response);
      if (response.ok) {
        if (typeof body === 'object' && body !== null) return body as T;
        throw strangeAnswer(this.address, response.headers.get('content-type') ?? 'no content type');
      }
      const seconds = waitSeconds(response);
      const isWorthWaiting = seconds <= longestWaitSeconds && tries < mostTries && upload?.isRepeatable !== false;
      if (response.status !== 429 || !isWorthWaiting) throw refusal(response, body, this.address, this.key !== null);
      this.notify(`The service is asked too much; trying again in ${seconds} s`);
      await sleep(seconds * 1_000);
    }
  }

  private async send(method: string, url: string, upload: Upload | undefined): Promise<Response> {
    try {
      return await fetch(url, {
        method,
        headers: this.headers(upload),
        // A redirect must not send the key to another host.
        redirect: 'manual',
        // A report may be piped in from a scanner that is still running.
        ...(upload ? { body: upload.open(), duplex: 'half' } : { signal: AbortSignal.timeout(timeoutMs) }),
      });
    } catch (error) {
      throw connectionFailure(error, this.address);
    }
  }

  private headers(upload: Upload | undefined): Record<string, string> {
    return {
      accept: 'application/json',
      ...(this.key === null ? {} : { 'x-api-key': this.key }),
      ...(upload ? { 'content-type': 'application/octet-stream' } : {}),
      ...(upload?.size === undefined ? {} : { 'content-length': String(upload.size) }),
    };
  }

  /** The JSON of a response; undefined for anything else. */
  private async bodyOf(response: Response): Promise<unknown> {
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw connectionFailure(error, this.address);
    }
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  }
}

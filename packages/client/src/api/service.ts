import { createStoreClient, type StoreClient, StoreApiError } from '@store-service/sdk';
import { clientVersion, versionNotice } from '../version.js';
import type { Access } from './access.js';
import { connectionFailure } from './connection-failures.js';
import { dispatcherFor, type Proxy, proxyFor } from './proxy.js';
import { refusalBy, refusalByOthers, strangeAnswer } from './refusals.js';

const timeoutMs = 30_000;
/** The service may ask for this long a wait, and a request is sent four times at most. */
const longestWaitMs = 60_000;
const mostRepetitions = 3;
/** What requests accept whose answer is for the user, whatever it is. */
export const asItIs = 'application/json, */*';
/** What requests accept that are answered by a file, of whatever format was asked for. */
export const anyFile = '*/*';

/** The JSON of a response; undefined for anything else. */
function jsonIn(response: Response, text: string): unknown {
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Throws a `Failure` if a response does not come from the service. */
function assertFromService(response: Response, text: string, access: Access): void {
  const { ok, status, headers } = response;
  const body = jsonIn(response, text);
  if (ok && !isObject(body) && text !== '') {
    throw strangeAnswer(access.address, headers.get('content-type') ?? 'no content type');
  }
  if (!ok && status !== 429 && !(isObject(body) && 'detail' in body)) throw refusalByOthers(response, access);
}

/** Sends requests of the SDK to the service; every fault is a `Failure` with a sentence and an exit code. */
class Sender {
  private isVersionKnown = false;
  private dispatcher: Promise<unknown> | undefined;

  constructor(
    private readonly access: Access,
    private readonly notify: (message: string) => void,
    private readonly proxy: Proxy | null,
  ) {}

  async send(request: Request): Promise<Response> {
    request.headers.set('x-client-version', clientVersion);
    const isStream = ['text/event-stream', 'text/csv', anyFile, asItIs].includes(request.headers.get('accept') ?? '');
    if (!isStream) request.headers.set('accept', 'application/json');
    // A report may be piped in from a scanner that is still running.
    const isEndless = isStream || request.headers.get('content-type') === 'application/octet-stream';
    const signal = isEndless ? request.signal : AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    let response: Response;
    let text: string;
    try {
      // A redirect must not send the key to another host.
      response = await fetch(request, { redirect: 'manual', signal, ...(await this.way()) });
      if (isStream && (response.ok || request.headers.get('accept') === asItIs)) return response;
      text = await response.text();
    } catch (error) {
      throw await connectionFailure(error, this.access.address, this.proxy);
    }
    this.compareVersions(response);
    assertFromService(response, text, this.access);
    const { status, statusText, headers } = response;
    return new Response(status === 204 ? null : text, { status, statusText, headers });
  }

  /** The way by the proxy, where there is one. */
  private async way(): Promise<object> {
    if (!this.proxy) return {};
    this.dispatcher ??= dispatcherFor(this.proxy);
    return { dispatcher: await this.dispatcher };
  }

  /** Reports once that the service has a different version. */
  private compareVersions({ headers }: Response): void {
    const version = headers.get('x-service-version');
    if (version === null || this.isVersionKnown) return;
    this.isVersionKnown = true;
    const notice = versionNotice(version);
    if (notice !== null) this.notify(notice);
  }
}

/** The service, called with the key of an access, or with the login that is made by it. */
export function connect(access: Access, notify: (message: string) => void, env: NodeJS.ProcessEnv): StoreClient {
  const sender = new Sender(access, notify, proxyFor(access.address, env));
  return createStoreClient({
    baseUrl: access.address,
    ...(access.key === null ? {} : { [access.isOfShop ? 'accessToken' : 'apiKey']: access.key }),
    fetch: (request) => sender.send(request),
    retry: {
      limit: mostRepetitions,
      maxDelayMs: longestWaitMs,
      requests: () => true,
      answers: (response) => response?.status === 429,
      onWait: (ms) => notify(`The service is asked too much; trying again in ${Math.floor(ms / 1_000)} s`),
    },
    mapError: (error) => (error instanceof StoreApiError ? refusalBy(error, access) : error),
  });
}

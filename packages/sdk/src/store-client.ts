import { type Client, createClient, createConfig } from './generated/client/index.js';
import { StoreApi } from './generated/sdk.gen.js';
import type { EventsArrivalsData, Reauthentication } from './generated/types.gen.js';
import { isPassing, type RetryOptions, withRetries } from './retries.js';
import { readWhileLively, type ServerSentEvent, type Silence } from './server-sent-events.js';
import { inMemory, type RefreshTokenStorage, Session } from './session.js';
import { errorOf } from './store-api-error.js';
import { markStreamed } from './streamed-body.js';
import { type ProgressListener, sendWithProgress, tellProgress } from './upload-progress.js';

export interface StoreClientOptions {
  /** The address of the service, such as `https://shop.example.com`. Empty on pages of the service's own origin. */
  baseUrl: string;
  /** Replaces the runtime's own `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Where the refresh token of a login is kept: in `memory` (the default), in a store of yours, or in a `cookie` of the
   * browser, for pages of the service's own origin.
   */
  session?: 'memory' | 'cookie' | RefreshTokenStorage;
  /** Called when an existing session has ended: show the login. */
  onSessionEnd?: () => void;
  /**
   * Called when a call takes a recent login: ask the user for the password, and for a code if they have two-factor login. The
   * call goes on with what this resolves to; without it, or with `undefined`, it throws `reauthentication_required`.
   */
  onReauthentication?: () => Promise<Reauthentication | undefined>;
  /** An organization's API key, for the scanning half. */
  apiKey?: string;
  /** A key of the shop, or an access token of your own, which calls carry in place of a login. */
  accessToken?: string;
  /** The organization that calls are about, if you belong to several. */
  organizationId?: string;
  retry?: RetryOptions;
  /** Turns what a call would throw, a `StoreApiError` or the failure of `fetch`, into an error of yours. */
  mapError?: (error: unknown) => unknown;
}

/** What to follow, and how long the stream may be silent. */
export interface EventStreamOptions extends Silence {
  /** The filters of `events.arrivals`, and the cursor `after` which to begin. */
  query?: Omit<NonNullable<EventsArrivalsData['query']>, 'size'>;
  signal?: AbortSignal;
}

interface Asked {
  url: string;
  query?: Record<string, unknown>;
  serializedBody?: unknown;
  meta?: { onUploadProgress?: ProgressListener; isStreamed?: boolean };
}

/** All operations by name, such as `store.products.list()`, and the session of the login. */
export class StoreClient extends StoreApi {
  constructor(
    client: Client,
    private readonly session: Session,
    private readonly own: (address: string | URL, init?: RequestInit) => Promise<Response>,
  ) {
    super({ client });
  }

  /**
   * Sends a request of yours to an address of the service, such as `/api/v1/issues`, with the key or login of this client and
   * its retries. Resolves to the answer as it comes, refusals too.
   */
  request(address: string | URL, init?: RequestInit): Promise<Response> {
    return this.own(address, init);
  }

  /** The access token of the session, if there is one, for requests made without this client. */
  accessToken(): Promise<string | undefined> {
    return this.session.accessToken();
  }

  /**
   * Follows an organization's events, and its scans if asked to, by one stream of server-sent events. Yields the events that
   * each chunk brought, none for a heartbeat. It ends when the stream does, and without a first chunk where the service has no
   * stream or something on the way holds it back; a lost connection and a refusal are thrown. Go on with the last `id` as
   * `after`, by another stream or by `events.arrivals`: nothing is missed or repeated.
   */
  async *streamEvents({ query, signal, ...silence }: EventStreamOptions = {}): AsyncGenerator<ServerSentEvent[]> {
    const open = async (opening: AbortSignal) => {
      const { data, response } = await this.client.get<{ 200: ReadableStream<Uint8Array> }, unknown, true>({
        url: '/api/v1/events/stream',
        security: [
          { name: 'X-API-Key', type: 'apiKey' },
          { scheme: 'bearer', type: 'http' },
        ],
        headers: { Accept: 'text/event-stream' },
        parseAs: 'stream',
        query,
        signal: opening,
      });
      return response.headers.get('content-type')?.startsWith('text/event-stream') ? data : null;
    };
    yield* readWhileLively(open, silence, signal);
  }

  /** Ends the session on the service and here. */
  signOut(): Promise<void> {
    return this.session.signOut();
  }
}

/**
 * A client of one service. Its calls resolve to `{ data, response }` and throw a `StoreApiError` for a refusal. Safe requests
 * are repeated after temporary failures, and later calls carry the token of a login.
 */
export function createStoreClient(options: StoreClientOptions): StoreClient {
  const { apiKey, accessToken, organizationId, retry, session: kept = 'memory', mapError = (error) => error } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const fetchHere = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const session = new Session({
    baseUrl,
    storage: kept === 'cookie' ? undefined : kept === 'memory' ? inMemory() : kept,
    send: withRetries(fetchHere, { ...retry, requests: () => true, answers: isPassing }),
    onEnd: options.onSessionEnd,
    prove: options.onReauthentication,
  });
  const send = withRetries((request) => session.send(request, (one) => sendWithProgress(fetchHere, one)), retry);

  const client = createClient(
    createConfig({
      baseUrl,
      throwOnError: true,
      fetch: send as typeof fetch,
      auth: ({ scheme }) => (scheme === 'bearer' ? (accessToken ?? session.accessToken()) : apiKey),
      ...(organizationId === undefined ? {} : { headers: { 'X-Organization-Id': organizationId } }),
      // Called with the options of each call, before its address is built from them.
      requestValidator: async (asked) => {
        const call = asked as Asked;
        if (kept === 'cookie' && /\/auth\/login(\/totp)?$/.test(call.url))
          call.query = { session: 'cookie', ...call.query };
      },
    }),
  );
  client.interceptors.request.use((request, asked) => {
    const { meta, serializedBody } = asked as Asked;
    if (meta?.onUploadProgress && serializedBody instanceof FormData) {
      tellProgress(request, { form: serializedBody, listener: meta.onUploadProgress });
    }
    if (meta?.isStreamed) markStreamed(request);
    return request;
  });
  client.interceptors.error.use((error, response, _request, { throwOnError }) => {
    if (!throwOnError) return error;
    return mapError(response ? errorOf(error, response) : error);
  });
  const own = async (address: string | URL, init?: RequestInit) => {
    // On pages of the service's own origin, the browser knows the rest of the address.
    const request = new Request(baseUrl === '' ? address : new URL(address, baseUrl), init);
    if (baseUrl !== '' && new URL(request.url).origin !== new URL(baseUrl).origin) {
      throw new TypeError(`${request.url} is no address of the service, and must not get its key`);
    }
    if (apiKey !== undefined) request.headers.set('X-API-Key', apiKey);
    const token = apiKey === undefined ? (accessToken ?? (await session.accessToken())) : undefined;
    if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    if (organizationId !== undefined) request.headers.set('X-Organization-Id', organizationId);
    try {
      return await send(request);
    } catch (error) {
      throw mapError(error);
    }
  };
  return new StoreClient(client, session, own);
}

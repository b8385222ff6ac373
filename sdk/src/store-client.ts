import { type Client, createClient, createConfig } from './generated/client/index.js';
import { StoreApi } from './generated/sdk.gen.js';
import { type RetryOptions, withRetries } from './retries.js';
import { inMemory, type RefreshTokenStorage, Session } from './session.js';
import { errorOf } from './store-api-error.js';
import { type ProgressListener, sendWithProgress, tellProgress } from './upload-progress.js';

export interface StoreClientOptions {
  /** Where the service is, such as `https://shop.example.com`. Empty on pages of the service's own origin. */
  baseUrl: string;
  /** In place of the runtime's own. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Where the refresh token of a login is kept: in `memory`, in a storage of yours, or by the browser in a `cookie`, for
   * pages of the service's own origin. In memory where left out.
   */
  session?: 'memory' | 'cookie' | RefreshTokenStorage;
  /** Called when a session that was there is over: show the login. */
  onSessionEnd?: () => void;
  /** A key of an organization, for the scanning half. */
  apiKey?: string;
  /** Which organization calls are about, where you belong to several. */
  organizationId?: string;
  retry?: RetryOptions;
}

interface Asked {
  url: string;
  query?: Record<string, unknown>;
  serializedBody?: unknown;
  meta?: { onUploadProgress?: ProgressListener };
}

/** All operations by name, `store.products.list()`, and the session of who signed in by them. */
export class StoreClient extends StoreApi {
  constructor(
    client: Client,
    private readonly session: Session,
  ) {
    super({ client });
  }

  /** The access token of the session, if there is one: for what is asked by other means than this client. */
  accessToken(): Promise<string | undefined> {
    return this.session.accessToken();
  }

  /** Ends the session, on the service and here. */
  signOut(): Promise<void> {
    return this.session.signOut();
  }
}

/**
 * A client of one service. Its calls resolve to `{ data, response }` and throw a `StoreApiError` for a refusal. What is safe
 * is repeated, and a login is kept: later calls carry its token.
 */
export function createStoreClient(options: StoreClientOptions): StoreClient {
  const { apiKey, organizationId, retry, session: kept = 'memory' } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const fetchHere = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const session = new Session({
    baseUrl,
    storage: kept === 'cookie' ? undefined : kept === 'memory' ? inMemory() : kept,
    send: withRetries(fetchHere, retry, () => true),
    onEnd: options.onSessionEnd,
  });
  const send = withRetries((request) => session.send(request, (one) => sendWithProgress(fetchHere, one)), retry);

  const client = createClient(
    createConfig({
      baseUrl,
      throwOnError: true,
      fetch: send as typeof fetch,
      auth: ({ scheme }) => (scheme === 'bearer' ? session.accessToken() : apiKey),
      ...(organizationId === undefined ? {} : { headers: { 'X-Organization-Id': organizationId } }),
      // Called with the options of each call, before its address is made of them.
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
    return request;
  });
  client.interceptors.error.use((error, response, _request, { throwOnError }) =>
    response && throwOnError ? errorOf(error, response) : error,
  );
  return new StoreClient(client, session);
}

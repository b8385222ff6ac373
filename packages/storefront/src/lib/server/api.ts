import { createStoreClient, type ShopGetResponse, StoreApiError, type StoreClient } from '@store-service/sdk';
import { error as pageError } from '@sveltejs/kit';
import { type Language, textsOf } from '$lib/texts/index.ts';
import type { Mount } from './mount.ts';

export type Shop = ShopGetResponse;

/** The platform's own: SvelteKit puts another one in its place while it renders a page. */
const platformFetch = globalThis.fetch;

/** How long a page waits for one answer of the service. */
const patienceMs = 15_000;
const shopKeptMs = 10_000;

/** What a page answers where the service is away or overloaded; a refusal stays the `StoreApiError` that it is. */
function pageErrorOf(error: unknown, language: Language): unknown {
  if (error instanceof StoreApiError && error.status < 500) return error;
  console.error(`The service did not answer: ${error instanceof Error ? error.message : String(error)}`);
  const { errors } = textsOf(language);
  try {
    return pageError(503, { message: errors.away, kind: 'away' });
  } catch (made) {
    return made;
  }
}

/** A client of one request: its calls carry the visitor's session and address. */
export function clientOf(mount: Mount, accessToken: string | undefined, language: Language): StoreClient {
  return createStoreClient({
    baseUrl: mount.apiUrl,
    ...(accessToken === undefined ? {} : { accessToken }),
    mapError: (error) => pageErrorOf(error, language),
    retry: { limit: 1, delayMs: 100, maxDelayMs: 1_000 },
    fetch: (request) => {
      const headers = new Headers(request.headers);
      for (const [name, value] of Object.entries(mount.headers)) headers.set(name, value);
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patienceMs)]);
      return platformFetch(new Request(request, { headers, signal }));
    },
  });
}

/** What pages show of a shop that could not be asked yet. */
const unknown: Shop = {
  name: 'Shop',
  currency: 'USD',
  locale: 'en-US',
  contact_email: null,
  address: null,
  logo_url: null,
  shipping_methods: [],
  payment: { provider: 'manual', instructions: null },
  front_url: null,
};

interface Kept {
  until: number;
  shop: Promise<Shop>;
  last: Shop;
}
const kept = new Map<string, Kept>();

/**
 * `GET /shop`, asked for once in some seconds however many pages want it; the last answer where the service is away. A service that
 * keeps these pages is asked each time: it knows from that when to forget them.
 */
export function shopOf(mount: Mount, api: StoreClient): Promise<Shop> {
  const known = kept.get(mount.apiUrl);
  if (known && known.until > Date.now()) return known.shop;
  const last = known?.last ?? unknown;
  const entry: Kept = { until: mount.keep ? 0 : Date.now() + shopKeptMs, last, shop: Promise.resolve(last) };
  entry.shop = api.shop.get().then(
    ({ data }) => (entry.last = data),
    () => {
      entry.until = 0; // the next page asks again
      return last;
    },
  );
  kept.set(mount.apiUrl, entry);
  return entry.shop;
}

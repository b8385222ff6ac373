import type { RequestEvent } from '@sveltejs/kit';
import { env } from '$env/dynamic/private';

/** A page as it was made. */
export interface KeptPage {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: string;
  /** Whether it shows what was asked for: only then it is kept. */
  isWhole: boolean;
}

/** What the service says about a request when it serves these pages itself. */
export interface Mount {
  /** The address of the service. */
  apiUrl: string;
  /** Headers by which the service knows that a call is made for this visitor. */
  headers: Record<string, string>;
  /** Keeps pages until something that they show changes; undefined on a machine of its own, which hears of no change. */
  keep?: (key: string, make: () => Promise<KeptPage>) => Promise<Omit<KeptPage, 'isWhole'>>;
}

/** The service puts it on the request by this symbol, where no visitor can. */
const mounted = Symbol.for('store-service.mount');

const longestDevice = 500;

/** Whether the service serves these pages itself, on its own origin. */
export function isMounted(event: Pick<RequestEvent, 'platform'>): boolean {
  return (event.platform?.req as { [mounted]?: Mount } | undefined)?.[mounted] !== undefined;
}

/** How to call the service for a request: as mounted by it, or by `STORE_API_URL` and with the visitor's address. */
export function mountOf(event: RequestEvent): Mount {
  const request = event.platform?.req as { [mounted]?: Mount } | undefined;
  const mount = request?.[mounted];
  // The sessions of an account are shown with their devices.
  const device = { 'User-Agent': event.request.headers.get('user-agent')?.slice(0, longestDevice) ?? 'Shop' };
  if (mount) return { ...mount, headers: { ...mount.headers, ...device } };
  const headers = { 'X-Forwarded-For': event.getClientAddress(), ...device };
  return { apiUrl: env['STORE_API_URL'] ?? 'http://127.0.0.1:3000', headers };
}

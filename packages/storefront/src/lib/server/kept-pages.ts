import type { RequestEvent } from '@sveltejs/kit';
import type { KeptPage, Mount } from './mount.ts';
import { knownBy } from './own-cookies.ts';

/** The pages that look the same to all who are not signed in, have nothing in the cart, and chose alike. */
const routes = new Set(['/', '/c/[slug]', '/search', '/p/[slug]']);
const longestKey = 400;

/** The key of the page, or of its data, that is asked for; null if it must be made for this visitor. */
function keyOf({ request, route, locals, cookies, isSubRequest }: RequestEvent): string | null {
  if (isSubRequest || request.method !== 'GET' || !routes.has(route.id ?? '')) return null;
  const known = knownBy(cookies);
  if (known === 'person') return null;
  // Whoever chose something gets a page of their own headers, which keep it out of shared caches. The address of the request,
  // unlike that of the page, names the parts of its data that a browser lacks.
  const key = `${known} ${locals.language} ${locals.theme} ${request.url}`;
  return key.length <= longestKey ? key : null;
}

const nonceIn = (policy: string): string | undefined => /'nonce-([^']+)'/.exec(policy)?.[1];
const newNonce = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');

/** What is another's for each visitor. */
const leftOut = new Set(['set-cookie', 'etag', 'content-length']);

interface PageData {
  type: string;
  nodes?: ({ type: string } | null)[];
}

/** Whether the data of a page are all there: they say themselves of an error or another address, with the status 200. */
function areWhole(text: string, type: string | null): boolean {
  if (type !== 'application/json') return false; // those that come bit by bit may yet fail
  const data = JSON.parse(text) as PageData;
  return data.type === 'data' && (data.nodes ?? []).every((node) => node?.type !== 'error');
}

async function toKept(answer: Response, isData: boolean): Promise<KeptPage> {
  const headers = [...answer.headers].filter(([name]) => !leftOut.has(name));
  const body = await answer.text();
  const isWhole = answer.status === 200 && (!isData || areWhole(body, answer.headers.get('content-type')));
  return { status: answer.status, headers: headers.flat(), body, isWhole };
}

/** The page once more, with a nonce of its own: nobody who has seen the page knows what lets scripts run in another's. */
function again({ status, headers: listed, body }: Omit<KeptPage, 'isWhole'>): Response {
  const headers = new Headers();
  for (let at = 0; at < listed.length; at += 2) headers.append(listed[at] ?? '', listed[at + 1] ?? '');
  const policy = headers.get('content-security-policy') ?? '';
  const before = nonceIn(policy);
  if (before === undefined) return new Response(body, { status, headers });
  const nonce = newNonce();
  headers.set('content-security-policy', policy.replaceAll(`'nonce-${before}'`, `'nonce-${nonce}'`));
  return new Response(body.replaceAll(`nonce="${before}"`, `nonce="${nonce}"`), { status, headers });
}

/**
 * Answers a page that shows nothing of its visitor, or its data, as the service keeps it, while what it shows is the same; makes
 * every other. On a machine of its own, which hears of no change, all are made: caches in front of it may keep them (`keepBriefly`).
 */
export async function keptOrMade(
  event: RequestEvent,
  mount: Mount,
  make: () => Response | Promise<Response>,
): Promise<Response> {
  const key = mount.keep ? keyOf(event) : null;
  if (key === null || !mount.keep) return make();
  return again(await mount.keep(key, async () => toKept(await make(), event.isDataRequest)));
}

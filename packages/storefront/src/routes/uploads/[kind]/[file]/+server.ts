import { error } from '@sveltejs/kit';
import { mountOf } from '$lib/server/mount.ts';
import type { RequestHandler } from './$types';

const passed = ['cache-control', 'content-length', 'content-type', 'etag', 'last-modified'];
const patienceMs = 30_000;

/**
 * Passes on the pictures of a service on another machine, so that pages take everything from one origin. Mounted by the service,
 * these pages are not asked for pictures.
 */
export const GET: RequestHandler = async (event) => {
  const { params, request, url } = event;
  const { apiUrl, headers } = mountOf(event);
  const address = new URL(`/uploads/${encodeURIComponent(params.kind)}/${encodeURIComponent(params.file)}`, apiUrl);
  address.search = url.search;
  const known = request.headers.get('if-none-match');
  const asked = known === null ? headers : { ...headers, 'If-None-Match': known };
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patienceMs)]);
  const answer = await fetch(address, { headers: asked, signal }).catch(() =>
    error(503, { message: 'The service cannot be reached', kind: 'away' }),
  );
  const kept = passed.map((name) => [name, answer.headers.get(name)] as const);
  return new Response(answer.body, {
    status: answer.status,
    headers: Object.fromEntries(kept.filter(([, value]) => value !== null)) as Record<string, string>,
  });
};

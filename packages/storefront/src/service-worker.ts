/// <reference no-default-lib="true"/>
/// <reference lib="esnext" />
/// <reference lib="webworker" />
// Shows a page of its own while there is no connection, and keeps nothing else: prices, stock and carts are never old.
import { build, version } from '$service-worker';

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
const store = `offline-${version}`;
const page = '/offline';
/** What the page needs to look like the shop. */
const parts = build.filter((path) => /\.(css|woff2)$/.test(path));

async function keep(): Promise<void> {
  const cache = await caches.open(store);
  await cache.addAll([new Request(page, { cache: 'reload', credentials: 'omit' }), ...parts]);
  await worker.skipWaiting();
}

async function forgetOlder(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== store).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request.mode === 'navigate' ? page : request);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(forgetOlder()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== worker.location.origin) return;
  if (request.mode === 'navigate' || parts.includes(new URL(request.url).pathname)) event.respondWith(answer(request));
});

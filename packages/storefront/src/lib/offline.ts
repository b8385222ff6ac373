/** Keeps the page for times without a connection in the browser, by the service worker; nothing else of the shop is kept. */
export function startOfflinePage(): void {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}

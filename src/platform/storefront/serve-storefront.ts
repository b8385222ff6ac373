import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Settings } from '../../config/settings.js';
import { PageReads } from '../cache/page-reads.js';
import { ResponseCache } from '../cache/response-cache.js';
import { localUrl } from '../http/local-url.js';
import { visitorHeaders } from '../net/visitor-address.js';
import { endWithItsFile } from './broken-files.js';
import { KeptPages, type MadePage } from './kept-pages.js';
import { ServiceAddresses } from './service-addresses.js';
import { isStorefrontBuilt, storefrontHandler } from './storefront-build.js';

/** As SvelteKit's adapter for Node.js makes it. */
type PageHandler = (request: Request, response: Response, next: NextFunction) => unknown;

const notBuilt = 'The shop front was not built: run "npm run build", or start with "npm start", which builds it.';

/** The shop front reads from the request, by this symbol, how to call the service for its visitor, and where to keep pages. */
const mounted = Symbol.for('store-service.mount');

/** The shop front reads the address of a request from these headers; whatever a visitor sends in them is replaced. */
const protocolHeader = 'x-storefront-protocol';
const hostHeader = 'x-storefront-host';
/** What the adapter takes from the environment, which it reads once, while it is loaded. */
const adapterSettings = { PROTOCOL_HEADER: protocolHeader, HOST_HEADER: hostHeader, BODY_SIZE_LIMIT: '12M' };
const adapterNames = [...Object.keys(adapterSettings), 'ORIGIN', 'PORT_HEADER', 'ADDRESS_HEADER', 'XFF_DEPTH'];

async function load(): Promise<PageHandler> {
  const before = adapterNames.map((name) => [name, process.env[name]] as const);
  for (const name of adapterNames) delete process.env[name];
  Object.assign(process.env, adapterSettings);
  try {
    const { handler } = (await import(storefrontHandler.href)) as { handler: PageHandler };
    return handler;
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** The scheme by which visitors reach the service: that of PUBLIC_URL at its host, or what a trusted proxy says. */
function protocolOf(request: Request, publicUrl: string | undefined): string {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  return known?.host === request.host ? known.protocol.slice(0, -1) : request.protocol;
}

/**
 * The handler of the shop front's pages: of each GET, HEAD and POST to an address that is none of the service's own. It goes
 * before the parsers of bodies, since forms are the pages' own. The pages are loaded by the first request.
 */
export function serveStorefront(app: NestExpressApplication, { host, publicUrl }: Settings): RequestHandler {
  if (!isStorefrontBuilt()) {
    return (request, response, next) => {
      if (request.path === '/') response.status(404).type('text/plain').send(notBuilt);
      else next();
    };
  }
  const addresses = new ServiceAddresses(app);
  const kept = new KeptPages(app.get(ResponseCache), app.get(PageReads));
  const server = app.getHttpServer();
  let made = 0;
  let pages: Promise<PageHandler> | undefined;
  return (request, response, next) => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method) || addresses.has(request.path)) return next();
    const { port } = server.address() as AddressInfo;
    const page = String(++made);
    const mount = {
      apiUrl: localUrl(host, port),
      headers: visitorHeaders(request.ip ?? '', page),
      keep: (key: string, make: () => Promise<MadePage>) => kept.find(key, page, make),
    };
    request.headers[protocolHeader] = protocolOf(request, publicUrl);
    request.headers[hostHeader] = request.host;
    Object.assign(request, { [mounted]: mount });
    // The pages say themselves what applies to them.
    for (const name of ['Content-Security-Policy', 'Cache-Control']) response.removeHeader(name);
    endWithItsFile(response);
    pages ??= load();
    pages.then((handle) => handle(request, response, next)).catch(next);
  };
}

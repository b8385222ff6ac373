import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler, Response } from 'express';
import { ConsoleFiles, consoleFolder, type ServedFile } from './console-files.js';

/** Allows scripts, styles, pictures and requests only of this origin, and neither inline scripts nor frames. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

const notBuilt = 'The console was not built: run "npm run build", or start with "npm start", which builds it.';

function isFresh(request: Request, etag: string): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

function send(request: Request, response: Response, file: ServedFile): void {
  response.setHeader('Content-Security-Policy', pagePolicy);
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', file.etag);
  if (isFresh(request, file.etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', file.type);
  if (file.encoding) response.setHeader('Content-Encoding', file.encoding);
  response.setHeader('Content-Length', file.body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

/** Responds with a built file; any other path is a screen of the console, which the page itself resolves. */
export function filesHandler(files: ConsoleFiles): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = request.path.slice(1);
    const encodings = request.headers['accept-encoding'] ?? '';
    const isScreen = !path.startsWith('assets/') && !path.includes('.');
    const file =
      (await files.find(path, encodings)) ?? (isScreen ? await files.find('index.html', encodings) : undefined);
    if (file) send(request, response, file);
    else next();
  };
}

/** Redirects browsers from the service's address to the console; programs get the normal response. */
const leadToConsole: RequestHandler = (request, response, next) => {
  const isPage =
    request.path === '/' && ['GET', 'HEAD'].includes(request.method) && request.headers.accept?.includes('text/html');
  if (isPage) response.redirect(302, '/console/');
  else next();
};

/** Serves the console at `/console/`, and redirects browsers there from `/`. */
export function serveConsole(app: NestExpressApplication): void {
  const folder = consoleFolder();
  const handle: RequestHandler = folder
    ? filesHandler(new ConsoleFiles(folder))
    : (_request, response) => void response.status(404).type('text/plain').send(notBuilt);
  app.use('/console', (request: Request, response: Response, next: () => void) => {
    if (request.originalUrl === '/console') response.redirect(308, '/console/');
    else void handle(request, response, next);
  });
  app.use(leadToConsole);
}

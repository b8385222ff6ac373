import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Invalid } from '../errors/invalid.js';
import { PayloadTooLarge, UnsupportedMediaType } from '../errors/kinds.js';

// Not shown: the largest JSON body; 256 KiB is many times the largest that any operation can use.
const maxBytes = 256 * 1024;
const maxDepth = 64;
const tooLargeSentence = `The request body is too large: at most ${maxBytes / 1024} KiB are taken`;

const quote = 0x22;
const backslash = 0x5c;

function isDeeperThan(limit: number, json: Buffer): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (quoted) {
      if (byte === backslash) index++;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

const emptyBodies = new WeakSet<IncomingMessage>();
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Refuses what `JSON.parse` would take and later steps would choke on. */
function verify(request: IncomingMessage, _response: unknown, body: Buffer): void {
  if (body.length === 0 || body.equals(byteOrderMark)) emptyBodies.add(request);
  if (!isUtf8(body)) throw Invalid.at(['body'], 'json_invalid', 'The body is not valid UTF-8');
  if (isDeeperThan(maxDepth, body)) {
    throw Invalid.at(['body'], 'json_invalid', `The body is nested deeper than ${maxDepth} levels`);
  }
}

function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
}

function isJson(request: IncomingMessage): boolean {
  const contentType = request.headers['content-type'] ?? '';
  // RFC 8259, section 8.1: JSON between systems is UTF-8.
  return /^\s*application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(contentType) && /^utf-?8$/.test(charsetOf(contentType));
}

const parse = express.json({ limit: maxBytes, strict: false, verify, type: isJson });

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Express would read the whole body before it refuses it. */
function refuseDeclaredSize(request: Request, _response: Response, next: NextFunction): void {
  const tooLarge = isJson(request) && Number(request.headers['content-length'] ?? 0) > maxBytes;
  next(tooLarge ? new PayloadTooLarge(tooLargeSentence) : undefined);
}

function refuseOtherTypes(request: Request, _response: Response, next: NextFunction): void {
  if (request.body !== undefined || !hasBody(request) || request.is('multipart/form-data')) return next();
  const given = (request.headers['content-type'] ?? 'none').slice(0, 100);
  next(
    new UnsupportedMediaType(
      `The body must be JSON in UTF-8, sent with the header "Content-Type: application/json" (got: ${given})`,
    ),
  );
}

/** Express takes an empty body for an empty object; here it is none. */
function dropEmpty(request: Request, _response: Response, next: NextFunction): void {
  if (emptyBodies.has(request)) request.body = undefined;
  next();
}

/** Methods whose body means something; that of any other is not looked at (RFC 9110, section 9.3). */
function whereBodiesCount(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (['POST', 'PUT', 'PATCH'].includes(request.method)) handler(request, response, next);
    else next();
  };
}

/** Reads JSON bodies; a body of any type other than JSON and multipart is refused. */
export const jsonBody: RequestHandler[] = [refuseDeclaredSize, parse, refuseOtherTypes, dropEmpty].map(whereBodiesCount);

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Invalid } from '../errors/invalid.js';
import { UnsupportedMediaType } from '../errors/kinds.js';

// Not shown: the largest JSON body; 256 KiB is many times the largest that any operation can use.
const maxBytes = 256 * 1024;
const maxDepth = 64;

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

/** Refuses what `JSON.parse` would take and later steps would choke on. */
function verify(_request: IncomingMessage, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw Invalid.at(['body'], 'json_invalid', 'The body is not valid UTF-8');
  if (isDeeperThan(maxDepth, body)) {
    throw Invalid.at(['body'], 'json_invalid', `The body is nested deeper than ${maxDepth} levels`);
  }
}

const parse = express.json({
  limit: maxBytes,
  strict: false,
  verify,
  type: ['application/json', 'application/*+json'],
});

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function refuseOtherTypes(request: Request, _response: Response, next: NextFunction): void {
  if (request.body !== undefined || !hasBody(request) || request.is('multipart/form-data')) return next();
  const given = request.headers['content-type'] ?? 'none';
  next(
    new UnsupportedMediaType(
      `The body must be JSON, sent with the header "Content-Type: application/json" (got: ${given})`,
    ),
  );
}

/** Reads JSON bodies; a body of any type other than JSON and multipart is refused. */
export const jsonBody: RequestHandler[] = [
  parse,
  (request, response, next) => {
    if (['POST', 'PUT', 'PATCH'].includes(request.method)) refuseOtherTypes(request, response, next);
    else next();
  },
];

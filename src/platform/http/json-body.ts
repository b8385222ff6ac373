import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Settings } from '../../config/settings.js';
import { Invalid } from '../errors/invalid.js';
import { PayloadTooLarge, UnsupportedMediaType } from '../errors/errors.js';
import { structureFault } from './json-depth.js';
import { type ReadsItsBody, readersOfBodies } from './streamed-body.js';
import { UnfinishedBodies } from './unfinished-bodies.js';

// Unspecified: the largest JSON body. 256 KiB is many times what any operation can use.
const maxBytes = 256 * 1024;
const tooLargeSentence = `The request body is too large: send at most ${maxBytes / 1024} KiB`;

const emptyBodies = new WeakSet<IncomingMessage>();
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Refuses JSON that `JSON.parse` accepts and later steps cannot handle. */
function verify(request: IncomingMessage, _response: unknown, body: Buffer): void {
  if (body.length === 0 || body.equals(byteOrderMark)) emptyBodies.add(request);
  if (!isUtf8(body)) throw Invalid.at(['body'], 'json_invalid', 'The body is not valid UTF-8');
  const fault = structureFault(body);
  if (fault !== null) throw Invalid.at(['body'], 'json_invalid', `The body ${fault}`);
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

/** Refuses by the declared length: Express would read the whole body first. */
function refuseDeclaredSize(request: Request, _response: Response, next: NextFunction): void {
  const tooLarge = isJson(request) && Number(request.headers['content-length'] ?? 0) > maxBytes;
  next(tooLarge ? new PayloadTooLarge(tooLargeSentence) : undefined);
}

function refuseOtherTypes(request: Request, _response: Response, next: NextFunction): void {
  if (request.body !== undefined || !hasBody(request) || request.is('multipart/form-data')) return next();
  const given = (request.headers['content-type'] ?? 'none').slice(0, 100);
  next(
    new UnsupportedMediaType(
      `The body must be JSON in UTF-8, sent with the header "Content-Type: application/json" ` +
        `(got: ${given}); pictures and reports are sent as multipart/form-data, in a field named "file"`,
    ),
  );
}

/** Makes an empty body undefined, which Express turns into an empty object. */
function dropEmpty(request: Request, _response: Response, next: NextFunction): void {
  if (emptyBodies.has(request)) request.body = undefined;
  next();
}

/** Applies the handler to methods whose bodies have a meaning (RFC 9110, section 9.3). */
function whereBodiesCount(handler: RequestHandler, readsItself: ReadsItsBody): RequestHandler {
  return (request, response, next) => {
    if (['POST', 'PUT', 'PATCH'].includes(request.method) && !readsItself(request)) handler(request, response, next);
    else next();
  };
}

function whereJson(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (isJson(request) && hasBody(request)) handler(request, response, next);
    else next();
  };
}

/** Reads JSON bodies. Those that are still arriving take at most `BODY_MEMORY_MB` of memory together. */
@Injectable()
export class JsonBodies {
  private readonly unfinished: UnfinishedBodies;

  constructor(
    { bodyMemoryMegabytes }: Settings,
    private readonly modules: ModulesContainer,
  ) {
    this.unfinished = new UnfinishedBodies(bodyMemoryMegabytes * 2 ** 20, maxBytes);
  }

  /** The Express steps that read bodies, except on routes that read their own, and that refuse any type but JSON and multipart. */
  handlers(): RequestHandler[] {
    const readsItself = readersOfBodies(this.modules);
    // Nest adds parsers of its own unless it finds these names.
    const steps = {
      refuseDeclaredSize,
      watch: whereJson(this.unfinished.watch),
      jsonParser: parse,
      urlencodedParser: refuseOtherTypes,
      dropEmpty,
    };
    return Object.entries(steps).map(([name, step]) =>
      Object.defineProperty(whereBodiesCount(step, readsItself), 'name', { value: name }),
    );
  }
}

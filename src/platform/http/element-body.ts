import type { IncomingMessage } from 'node:http';
import { Invalid } from '../errors/invalid.js';
import { UnsupportedMediaType } from '../errors/errors.js';
import { validated } from '../validation/validated.js';
import { type JsonElement, jsonElements, type JsonElementsFormat } from './json-elements.js';
import { bytesOf } from './request-bytes.js';

export interface ElementBounds {
  /** Whether lines of JSON are accepted beside an array. */
  lines: boolean;
  maxBytes: number;
  maxElementBytes: number;
}

const utf8 = String.raw`\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$`;
const arrayType = new RegExp(String.raw`^\s*application/json${utf8}`, 'i');
const linesType = new RegExp(String.raw`^\s*application/(x-)?ndjson${utf8}`, 'i');

function formatOf(request: IncomingMessage, lines: boolean): JsonElementsFormat {
  const given = request.headers['content-type'] ?? 'none';
  if (arrayType.test(given)) return 'array';
  if (lines && linesType.test(given)) return 'lines';
  const takes = lines
    ? 'a JSON array (application/json) or lines of JSON (application/x-ndjson)'
    : 'a JSON array (application/json)';
  throw new UnsupportedMediaType(`The body must be ${takes}, in UTF-8 (got: ${given.slice(0, 100)})`);
}

/**
 * The elements of a request's body, group by group while it arrives, at the reader's pace. Throws `UnsupportedMediaType`,
 * `PayloadTooLarge`, and `Invalid` for invalid JSON.
 */
export function elementsOf(request: IncomingMessage, bounds: ElementBounds): AsyncGenerator<JsonElement[]> {
  const format = formatOf(request, bounds.lines);
  return jsonElements(bytesOf(request, bounds.maxBytes), format, bounds.maxElementBytes);
}

/**
 * Reads an element strictly as `dto` and passes it to `then`. An `Invalid` that either throws is located at the
 * element.
 */
export function readElement<T extends object, R>(
  { index, value }: JsonElement,
  dto: new () => T,
  then: (body: T, index: number) => R,
): R {
  try {
    return then(validated(dto, value, 'body', { strict: true }), index);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new Invalid(error.problems.map(({ loc, ...rest }) => ({ ...rest, loc: ['body', index, ...loc.slice(1)] })));
  }
}

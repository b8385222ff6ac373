import { isUtf8 } from 'node:buffer';
import { Invalid } from '../errors/invalid.js';
import { PayloadTooLarge } from '../errors/errors.js';
import { structureFault } from './json-depth.js';
import { ArraySplitter, type ElementSplitter, LineSplitter } from './element-splitters.js';

/** One element of a streamed body: an array's, or a line (https://github.com/ndjson/ndjson-spec). */
export interface JsonElement {
  /** Counted from 0; blank lines count too. */
  index: number;
  value: unknown;
}

const splitters = { array: ArraySplitter, lines: LineSplitter } satisfies Record<string, new () => ElementSplitter>;
export type JsonElementsFormat = keyof typeof splitters;

function parse(bytes: Buffer, index: number): unknown {
  const refuse = (msg: string): Invalid => Invalid.at(['body', index], 'json_invalid', msg);
  if (!isUtf8(bytes)) throw refuse('This is not valid UTF-8');
  const fault = structureFault(bytes);
  if (fault !== null) throw refuse(`This ${fault}`);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw refuse('This is not valid JSON');
  }
}

/**
 * Reads a JSON array, or lines of JSON, while it arrives: yields the elements that each piece of the body completes.
 * Throws `Invalid` at `["body", index]` for invalid JSON, `PayloadTooLarge` for an element beyond `maxElementBytes`.
 */
export async function* jsonElements(
  body: AsyncIterable<Buffer>,
  format: JsonElementsFormat,
  maxElementBytes: number,
): AsyncGenerator<JsonElement[]> {
  const splitter = new splitters[format]();
  let index = 0;
  const read = (pieces: Buffer[]): JsonElement[] => {
    const elements: JsonElement[] = [];
    for (const bytes of pieces) {
      const at = index++;
      if (bytes.length > maxElementBytes) throw tooLarge(at, maxElementBytes);
      if (bytes.length > 0) elements.push({ index: at, value: parse(bytes, at) });
    }
    return elements;
  };
  for await (const chunk of body) {
    const elements = read(splitter.push(chunk));
    if (splitter.pendingBytes > maxElementBytes) throw tooLarge(index, maxElementBytes);
    if (elements.length > 0) yield elements;
  }
  const last = read(splitter.end());
  if (last.length > 0) yield last;
}

function tooLarge(index: number, maxBytes: number): PayloadTooLarge {
  return new PayloadTooLarge(
    `Element ${index} of the body is too large: an element may have at most ${maxBytes / 1024} KiB`,
  );
}

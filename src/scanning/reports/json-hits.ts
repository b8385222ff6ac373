import { Invalid } from '../../platform/errors/invalid.js';
import { JsonReader } from './json-reader.js';
import type { JsonHit, JsonSelection } from './json-selector.js';

function fault(where: string): Invalid {
  return Invalid.at(['body'], 'json_invalid', `The report is not valid JSON: ${where}`);
}

/**
 * Finds values in one JSON document while it is read, with at most one value in memory: yields the values that each piece
 * completes. Throws `Invalid` for invalid or truncated JSON.
 */
export function jsonHits(chunks: AsyncIterable<Buffer>, selection: JsonSelection): AsyncGenerator<JsonHit[]> {
  return hitsOf(chunks, new JsonReader(selection));
}

/** Like `jsonHits`, for a caller that asks for the next piece. */
export async function* hitsOf(chunks: AsyncIterable<Buffer>, reader: JsonReader): AsyncGenerator<JsonHit[]> {
  const feed = (step: () => void, where: () => string): JsonHit[] => {
    try {
      step();
    } catch (error) {
      throw error instanceof Invalid ? error : fault(where());
    }
    return reader.selector.taken();
  };
  for await (const chunk of chunks) {
    const hits = feed(
      () => reader.write(chunk),
      () => `see byte ${reader.position + 1}`,
    );
    if (hits.length > 0) yield hits;
  }
  const last = feed(
    () => reader.end(),
    () => 'it ends too early',
  );
  if (!reader.selector.isDone) throw fault('it ends too early');
  if (last.length > 0) yield last;
}

import { Tokenizer } from '@streamparser/json';
import { Invalid } from '../../common/errors/invalid.js';
import { JsonBounds } from './json-bounds.js';
import { type JsonHit, type JsonSelection, JsonSelector } from './json-selector.js';

const bufferSizes = { stringBufferSize: 64 * 1024, numberBufferSize: 1024 };

function fault(where: string): Invalid {
  return Invalid.at(['body'], 'json_invalid', `The report is not valid JSON: ${where}`);
}

/**
 * Finds values in one JSON document while it is read, keeping no more than one value in memory: yields what each piece
 * completes. Throws `Invalid` for invalid or truncated JSON.
 */
export async function* jsonHits(chunks: AsyncIterable<Buffer>, selection: JsonSelection): AsyncGenerator<JsonHit[]> {
  const selector = new JsonSelector(selection);
  const tokenizer = new Tokenizer(bufferSizes);
  const bounds = new JsonBounds();
  let offset = 0;
  tokenizer.onToken = (token) => {
    offset = token.offset;
    // Reading a character makes V8 flatten the string, which was gathered from small pieces.
    if (typeof token.value === 'string') token.value.charCodeAt(0);
    selector.write(token.token, token.value);
  };
  const feed = (step: () => void, where: () => string): JsonHit[] => {
    try {
      step();
    } catch (error) {
      throw error instanceof Invalid ? error : fault(where());
    }
    return selector.taken();
  };
  for await (const chunk of chunks) {
    const hits = feed(
      () => tokenizer.write(bounds.pass(chunk)),
      () => `see byte ${offset + 1}`,
    );
    if (hits.length > 0) yield hits;
  }
  const last = feed(
    () => tokenizer.end(),
    () => 'it ends too early',
  );
  if (!selector.isDone) throw fault('it ends too early');
  if (last.length > 0) yield last;
}

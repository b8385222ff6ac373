import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

let collect: Collect | undefined;

/**
 * Frees what was allocated lately and is needed no more, in about a millisecond. V8 does so itself after so many megabytes of
 * objects, and each chunk of a body counts as a small one, whatever its bytes take outside of V8's heap.
 */
export function freeYoungGarbage(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/** V8 gives its function to contexts made while it is exposed, so that no other code gets to see it. */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('globalThis.gc') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return gc ?? (() => undefined); // memory is then freed later
}

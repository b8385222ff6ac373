import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decode } from '@jridgewell/sourcemap-codec';
import { beforeAll, describe, expect, it } from '@jest/globals';

const built = join('dist', 'service');
const escape = /\\u[0-9a-f]{4}/;

let parts: Map<string, string>;
beforeAll(async () => {
  parts = await partsFrom('main.js');
});

/** The code of a part and of all that it may load, by file. Parts of earlier builds may lie beside them. */
async function partsFrom(first: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const waiting = [first]; waiting.length > 0;) {
    const file = waiting.pop() ?? '';
    if (found.has(file)) continue;
    const code = await readFile(join(built, file), 'utf8');
    found.set(file, code);
    for (const [, name = ''] of code.matchAll(/require\("\.\.?\/((?:parts\/)?[\w$-]+\.js)"\)/g)) {
      waiting.push(name === 'main.js' ? name : join('parts', basename(name)));
    }
  }
  return found;
}

/** Whether the name that a mapping gives stands where it points to, where something escaped stands before it, or nothing does. */
function* namesIn(code: string, map: { mappings: string; names: string[] }) {
  const lines = code.split('\n');
  for (const [line, segments] of decode(map.mappings).entries()) {
    const text = lines[line] ?? '';
    const escaped = text.search(escape);
    for (const segment of segments) {
      const name = map.names[segment[4] ?? -1];
      if (name === undefined) continue;
      const isThere = text.startsWith(name, segment[0]) || text.startsWith(`.${name}`, text.indexOf('.', segment[0]));
      yield { isThere, isMoved: escaped >= 0 && escaped < segment[0] };
    }
  }
}

describe('The parts of the built service', () => {
  it('have no character that makes V8 keep two bytes for each', () => {
    expect(parts.size).toBeGreaterThan(10);
    const wide = [...parts].filter(([, code]) => /[^\0-\xff]/.test(code));
    expect(wide.map(([file]) => file)).toEqual([]);
  });

  it('have escapes, and mappings that point past them as well as to anything else', async () => {
    const file = [...parts.keys()].find((name) => name.startsWith('parts/service-')) ?? '';
    const map = JSON.parse(await readFile(join(built, `${file}.map`), 'utf8')) as { mappings: string; names: string[] };
    const names = [...namesIn(parts.get(file) ?? '', map)];
    const share = (some: typeof names): number => some.filter(({ isThere }) => isThere).length / some.length;
    const moved = names.filter(({ isMoved }) => isMoved);
    expect(moved.length).toBeGreaterThan(1_000);
    expect(share(moved)).toBeGreaterThan(share(names) - 0.02);
    expect(share(moved)).toBeGreaterThan(0.8);
  });
});

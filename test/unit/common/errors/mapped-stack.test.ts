import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mappedStack } from '../../../../src/common/errors/mapped-stack.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-maps-'));
  // The first character of the second line comes from line 5, column 3.
  const map = { version: 3, file: 'part.js', sources: ['../src/cart.ts'], names: [], mappings: ';AAIE' };
  await writeFile(join(folder, 'part.js.map'), JSON.stringify(map));
  await writeFile(join(folder, 'broken.js.map'), '{');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const placeIn = (file: string, line: number) => `${pathToFileURL(join(folder, file)).href}:${line}:1`;

describe('A stack trace', () => {
  it('names the TypeScript file if there is a source map', () => {
    const stack = `Error: no\n    at add (${placeIn('part.js', 2)})\n    at async ${placeIn('part.js', 2)}`;
    const source = `${join(folder, '..', 'src', 'cart.ts')}:5:3`;
    expect(mappedStack(stack)).toBe(`Error: no\n    at add (${source})\n    at async ${source}`);
  });

  it('names it for a CommonJS file, which has a path in the place of a URL', () => {
    const stack = `    at add (${join(folder, 'part.js')}:2:1)\n    at ${join(folder, 'part.js')}:2:1`;
    const source = `${join(folder, '..', 'src', 'cart.ts')}:5:3`;
    expect(mappedStack(stack)).toBe(`    at add (${source})\n    at ${source}`);
  });

  it.each([
    ['has no map', 'other.js', 2],
    ['has a broken map', 'broken.js', 2],
    ['is called before the first place in its map', 'part.js', 1],
  ])('is unchanged when a file %s', (_, file, line) => {
    const stack = `Error: no\n    at add (${placeIn(file, line)})`;
    expect(mappedStack(stack)).toBe(stack);
  });

  it('is unchanged when it names nothing in the build', () => {
    const stack = 'Error: no\n    at node:internal/timers:1:2\n    at /srv/app.js:3:4\n    at file:///%zz.js:1:1';
    expect(mappedStack(stack)).toBe(stack);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const decisions = readdirSync('docs/decisions').map((name) => `docs/decisions/${name}`);
const documents = ['CONTRIBUTING.md', 'docs/architecture.md', 'bench/README.md', 'test/README.md', ...decisions];

const places = /(?<![\w./-])(?:src|test|bench|scripts|packages|docs)\/[\w./-]*\w/g;
/** A path relative to `src`, which nobody finds. */
const halfPlaces = /`(?:common|store|scanning|database|client|config|jobs|demo)\/[\w./-]+\.ts`/g;

describe('The map', () => {
  it.each(documents)('%s names files that exist', (document) => {
    const named = readFileSync(document, 'utf8').match(places) ?? [];
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
  });

  it.each(documents)('%s names files from the root', (document) => {
    expect(readFileSync(document, 'utf8').match(halfPlaces)).toBeNull();
  });

  it('names each folder of src and each module in its drawing', () => {
    const [, drawing = ''] = /```mermaid\n([^]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
    const words = new Set(drawing.match(/[\w/-]+/g));
    const foldersOf = (place: string) =>
      readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
    const floors = foldersOf('src').map((name) => `src/${name}`);
    const modules = ['src/store', 'src/scanning'].flatMap(foldersOf);
    expect([...floors, ...modules].filter((name) => !words.has(name))).toEqual([]);
  });

  it('leads to each file of the five walks', () => {
    const walks = readFileSync('CONTRIBUTING.md', 'utf8').split('\n### ').slice(1);
    expect(walks).toHaveLength(5);
    for (const walk of walks) expect(walk.match(places)?.length).toBeGreaterThan(2);
  });

  it('lists every decision', () => {
    const list = readFileSync('docs/decisions/README.md', 'utf8');
    const names = readdirSync('docs/decisions').filter((name) => name !== 'README.md');
    expect(names.filter((name) => !list.includes(`(${name})`))).toEqual([]);
  });
});

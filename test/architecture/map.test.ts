import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const decisions = readdirSync('docs/decisions').map((name) => `docs/decisions/${name}`);
const documents = ['CONTRIBUTING.md', 'docs/architecture.md', 'bench/README.md', 'test/README.md', ...decisions];

const places = /(?:src|test|bench|scripts|bin|docs)\/[\w./-]*\w/g;

describe('The map', () => {
  it.each(documents)('%s names files that exist', (document) => {
    const named = readFileSync(document, 'utf8').match(places) ?? [];
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
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

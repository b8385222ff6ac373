import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = Object.fromEntries(
  readdirSync('packages/console/src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|svelte)$/.test(path))
    .map((path) => [path, readFileSync(join('packages/console/src', path), 'utf8')]),
);
const table = sources['api/changed.ts'] ?? '';
const all = Object.values(sources).join('\n');

const namesIn = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
/** The names under which the console reads data, by the first part of each key. */
const read = namesIn(all, /(?:queryKey: \[|\bpagesOf\()'([a-z-]+)'/g);
/**
 * Drafts change only by saving; what was sent to a scanner or a receiver never changes; names are only labels; the service's
 * version changes by a restart; what became of a request stays.
 */
const unchanging = new Set([
  'provider',
  'shop',
  'product',
  'coupon',
  'integration',
  'name',
  'workflow-version',
  'organization',
  'event',
  'delivery-payload',
  'webhook-payload',
  'health',
  'noted-requests',
  'noted-request',
]);

describe('what the changes of the console make stale', () => {
  it('is determined by a single table', () => {
    const elsewhere = Object.entries(sources).filter(([, text]) => text.includes('invalidateQueries'));
    expect(elsewhere.map(([path]) => path)).toEqual(['api/changed.ts']);
  });

  it('is everything that can change, by the names under which it is read', () => {
    const stale = namesIn(table, /'([a-z-]+)'/g);
    expect([...read].filter((name) => !stale.has(name) && !unchanging.has(name))).toEqual([]);
    const named = namesIn(table.replaceAll(/^ {2}'?[a-z-]+'?: /gm, ''), /'([a-z-]+)'/g);
    expect([...named].filter((name) => !read.has(name))).toEqual([]);
  });
});

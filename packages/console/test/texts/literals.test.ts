import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';

const root = 'packages/console/src';
const shownAttributes = new Set([
  'aria-label',
  'placeholder',
  'title',
  'alt',
  'label',
  'hint',
  'act',
  'loss',
  'what',
  'order',
  'note',
]);
const hasLetters = (text: string) => /\p{L}/u.test(text);

/** What is the same in every language: names, addresses, keys, units. */
const sameEverywhere = /^(Store Service|[omrif]|ms|URL|https:\/\/…|https:\/\/shop\.example\.com|main|standard)$/;

interface Node {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
}

/** The texts that a component holds itself: between its tags, and in the attributes that people see or hear. */
function literalsOf(source: string): string[] {
  const found: string[] = [];
  const note = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (hasLetters(plain) && !sameEverywhere.test(plain)) found.push(plain);
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    const { type, name = '', data = '', value } = node as Node;
    if (type === 'StyleDirective') return;
    if (type === 'Text') note(data);
    if (type === 'Attribute') {
      if (shownAttributes.has(name)) walk(value);
      return;
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'metadata') walk(child);
  };
  walk(parse(source, { modern: true }).fragment);
  return found;
}

describe('The components of the console', () => {
  it('hold no text themselves: it is in the catalog, in every language', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'));
    expect(files.length).toBeGreaterThan(150);
    const literals = files.flatMap((file) =>
      literalsOf(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(literals).toEqual([]);
  });

  it.each([
    ['<p>Orders</p>', 'Orders'],
    ['{#if a}<b>{n} of</b>{/if}', 'of'],
    ['<button aria-label="Close">✕</button>', 'Close'],
    ['<Field label="Price of {name}" />', 'Price of'],
    ['{#snippet row()}<td title="Last used">–</td>{/snippet}', 'Last used'],
  ])('%s would be found', (source, text) => {
    expect(literalsOf(source)).toEqual([text]);
  });

  it.each([
    '<p class="text-soft" id="of">{texts.orders.total} · 5</p>',
    '<input type="text" aria-label={texts.parts.since} />',
  ])('%s holds none', (source) => {
    expect(literalsOf(source)).toEqual([]);
  });
});

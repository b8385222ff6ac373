import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { de } from '../../src/texts/de.js';
import { en } from '../../src/texts/en.js';
import { ofEverywhere } from '../../src/texts/en/of-everywhere.js';
import { ofPipelines } from '../../src/texts/en/of-pipelines.js';
import { ofScanning } from '../../src/texts/en/of-scanning.js';
import { ofSettings } from '../../src/texts/en/of-settings.js';
import { ofShop } from '../../src/texts/en/of-shop.js';
import { loadTexts, texts } from '../../src/texts/texts.js';

type Text = string | ((...values: never[]) => string);
interface Entry {
  key: string;
  text: Text;
}

/** Every text of a catalog under its path; names of values are open, and fall back to their English words. */
function entriesOf(catalog: object, path = ''): Entry[] {
  return Object.entries(catalog).flatMap(([name, value]: [string, Text | object]) => {
    const key = path === '' ? name : `${path}.${name}`;
    if (key === 'names') return [];
    return typeof value === 'object' ? entriesOf(value, key) : [{ key, text: value }];
  });
}

const catalogs = { en: entriesOf(en), de: entriesOf(de) };
const numbered = [21, 22, 23, 24, 25, 26] as never[];
const said = (text: Text) => (typeof text === 'string' ? text : text(...numbered));
/** The places that a text fills, each once. */
const filled = (text: Text) => [...new Set(said(text).match(/\b2[1-6]\b/g) ?? [])].sort().join();
const wordsIn = (text: Text) =>
  said(text)
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word)).length;
const oldPhrases = /of which nothing is made|\bIts scan\b|None runs at the moment/;

const root = 'packages/console/src';
/** The sources that show texts, with their paths. */
const filesOfSources = (): [path: string, source: string][] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|svelte)$/.test(path) && !path.startsWith('texts/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
/** The texts that a source reads: the area, and the name unless it is computed. */
const areasIn = (source: string): [area: string, name: string][] =>
  [...source.matchAll(/\btexts\s*\.(\w+)\s*(?:\.(\w+)|\[)/g)].map(([, area = '', name = '']) => [area, name]);

const keysOf = (entries: Entry[]) => entries.map(({ key }) => key);

describe('The catalog', () => {
  it('has every text in every language, none empty, and fills the same places', () => {
    expect(keysOf(catalogs.de).sort()).toEqual(keysOf(catalogs.en).sort());
    expect(catalogs.en.length).toBeGreaterThan(150);
    const german = new Map(catalogs.de.map(({ key, text }) => [key, text]));
    const odd = catalogs.en.filter(({ key, text }) => {
      const other = german.get(key) ?? '';
      return (
        typeof other !== typeof text || filled(other) !== filled(text) || (said(other) === '') !== (said(text) === '')
      );
    });
    expect(keysOf(odd)).toEqual([]);
  });

  it('finds a place that a language leaves out', () => {
    expect(filled((name: number) => `Order ${name}`)).toBe('21');
    expect(filled((_name: number, of: number) => `Order of ${of}`)).toBe('22');
    expect(filled('Order 21')).toBe('21');
  });

  it.each(['en', 'de'] as const)('has in %s no text of more than 25 words, and no old phrase', (language) => {
    const long = catalogs[language].filter(({ text }) => wordsIn(text) > 25);
    expect(keysOf(long)).toEqual([]);
    expect(keysOf(catalogs[language].filter(({ text }) => oldPhrases.test(said(text))))).toEqual([]);
    expect(wordsIn('one two, three 4')).toBe(3);
  });

  it('addresses Germans as Sie, and writes no English quotation marks there', () => {
    const familiar = catalogs.de.filter(({ text }) =>
      /\b([Dd]u|[Dd]ein\w*|[Dd]ir|[Dd]ich)\b|"|“[^“„]*”/.test(said(text)),
    );
    expect(keysOf(familiar)).toEqual([]);
  });

  it('holds nothing that the console does not show', () => {
    const used = new Set(
      filesOfSources()
        .flatMap(([, source]) => areasIn(source))
        .map(([area, name]) => `${area}.${name}`),
    );
    const idle = keysOf(catalogs.en).filter((key) => {
      const [area = '', name = ''] = key.split('.');
      return !used.has(`${area}.${name}`) && !used.has(`${area}.`);
    });
    expect(idle).toEqual([]);
  });

  it('is loaded in one language, and of the part of the console that the page shows', async () => {
    await loadTexts('de', 'shop/orders');
    expect(texts.common.save).toBe('Speichern');
    expect(texts.orders.toShip).toBe('Zu versenden');
    expect(texts).not.toHaveProperty('issues');
    await loadTexts('en', 'scanning');
    expect(texts.common.save).toBe('Save');
    expect(texts.issues.rule).toBe('Rule');
    expect(texts).not.toHaveProperty('workflows');
    expect(texts).not.toHaveProperty('settings');
    await loadTexts('en', 'scanning/workflows/:id');
    expect(texts.workflows.branch).toBe('Branch');
    await loadTexts('en', 'shop/settings');
    expect(texts.settings.settings).toBe('Settings');
    await loadTexts('en', 'operation/requests');
    expect(texts.orders.toShip).toBe('To ship');
  });

  it('has words that are there when a source reads them: those of every page, and of its part of the console', () => {
    const of = (catalog: object) => Object.keys(catalog);
    const parts: [RegExp, object][] = [
      [/^/, ofEverywhere],
      [/^shop\//, ofShop],
      [/^shop\/(settings|operation)\//, ofSettings],
      [/^scanning\//, ofScanning],
      [/^scanning\/(workflows|deliveries|integrations|organization)\//, ofPipelines],
    ];
    const foreign = filesOfSources().flatMap(([path, source]) => {
      const usable = new Set(parts.flatMap(([folder, catalog]) => (folder.test(path) ? of(catalog) : [])));
      return areasIn(source).flatMap(([area]) => (usable.has(area) ? [] : [`${path}: ${area}`]));
    });
    expect(foreign).toEqual([]);
    expect(areasIn('{texts.orders.toShip}')).toEqual([['orders', 'toShip']]);
  });
});

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ajvFormats from 'ajv-formats';
import { faultOf } from '../../src/platform/validation/check-value.js';
import type { StringSpec } from '../../src/platform/validation/field-spec.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Node = Record<string, unknown>;

/**
 * What generators of clients stumbled over in the interface description: openapi-zod-client 1.18 wrote a file that does not
 * load, orval 7 one with wrong types. Neither is a dependency: orval 8 needs Node.js 22.18, and both bring hundreds of
 * packages; `npx openapi-zod-client openapi.json` and `npx orval` were tried by hand.
 */
let app: TestApp;
let document: { paths: Record<string, Node> };
let schemas: { place: string; node: Node }[];
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.api.get<typeof document>('/openapi.json')).body;
  schemas = [...nodesOf(document, '')];
});
afterAll(() => app.close());

function* nodesOf(value: unknown, place: string): Generator<{ place: string; node: Node }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { place, node: value as Node };
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${place}/${key}`);
}

describe('Every schema of the interface description', () => {
  it('has patterns that stand in any literal, without an escaped slash', () => {
    const patterns = schemas.flatMap(({ place, node: { pattern } }) =>
      typeof pattern === 'string' ? [{ place, pattern }] : [],
    );
    expect(patterns.length).toBeGreaterThan(30);
    const wrong = patterns.filter(({ pattern }) => {
      const literal = new RegExp(pattern.replaceAll('/', '\\/'), 'u');
      return pattern.includes('\\/') || literal.source.replaceAll('\\/', '/') !== pattern;
    });
    expect(wrong).toEqual([]);
  });

  it('has enums of values of its one type alone, and null apart from them', () => {
    const enums = schemas.flatMap(({ place, node }) => (Array.isArray(node['enum']) ? [{ place, ...node }] : []));
    expect(enums.length).toBeGreaterThan(100);
    const wrong = enums.filter((node: Node) => {
      const values = node['enum'] as unknown[];
      return node['type'] !== 'string' || values.some((value) => typeof value !== 'string');
    });
    expect(wrong).toEqual([]);
  });

  it('has formats that JSON Schema knows, and the service checks', () => {
    const formats = new Set(
      schemas.flatMap(({ node: { type, format } }) => (type && typeof format === 'string' ? [format] : [])),
    );
    expect([...formats].sort()).toEqual([...Object.keys(samples), 'binary'].sort());
  });
});

/** Texts for each format that the description names; a validator of JSON Schema says which of them have it. */
const samples: Record<string, string[]> = {
  'date-time': [
    '2026-01-31T12:00:00Z',
    '2026-01-31t12:00:00.123z',
    '2026-01-31T12:00:00+02:00',
    '2026-02-30T12:00:00Z',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31T24:00:00Z',
    '12:00:00Z',
    'x',
    '',
  ],
  email: [
    'a@example.com',
    'a.b+c@sub.example.com',
    'a@',
    '@example.com',
    'a b@example.com',
    'a',
    '',
    'a@b@example.com',
  ],
  uuid: [
    '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a10',
    '6F1C1F0E-58D1-4C0B-9B1E-0D5A4C3B2A10',
    '6f1c1f0e58d14c0b9b1e0d5a4c3b2a10',
    '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a1g',
    '{6f1c1f0e}',
    'x',
    '',
  ],
  'uri-reference': [
    'https://example.com/a.png',
    '/uploads/general/a.webp',
    'https://exa mple.com/',
    'a b',
    '\\\\',
    '<>',
  ],
};

describe.each(Object.entries(samples))('The format %s', (format, texts) => {
  it.each(texts)('is checked of "%s" as the description says', (text) => {
    const known = ajvFormats.default.get(format as 'uuid');
    const validate = (known as { validate?: unknown }).validate ?? known;
    const has = validate instanceof RegExp ? validate.test(text) : (validate as (text: string) => boolean)(text);
    expect(faultOf(text, { kind: 'string', format: format as StringSpec['format'] }) === null).toBe(has);
  });
});

describe('The addresses of operations', () => {
  it('end with a slash where the document of the store writes one, and nowhere else', async () => {
    const lines = (await readFile(new URL('./operations.txt', import.meta.url), 'utf8')).split('\n');
    const given = new Set(lines.map((line) => line.split(' ')[1] ?? '').filter((path) => path.endsWith('/')));
    expect(Object.keys(document.paths).filter((path) => path.endsWith('/'))).toEqual([...given].sort(byPlace));
  });

  it('lead to the same with and without it', async () => {
    const gets = Object.entries(document.paths).filter(([path, item]) => item['get'] && !path.includes('{'));
    expect(gets.length).toBeGreaterThan(40);
    for (const [path] of gets) {
      const bare = path.replace(/\/$/, '');
      const [one, other] = [await fetch(`${app.baseUrl}${bare}`), await fetch(`${app.baseUrl}${bare}/`)];
      await Promise.all([one.body?.cancel(), other.body?.cancel()]);
      expect([bare, one.status, one.status === 404]).toEqual([bare, other.status, false]);
    }
  });
});

function byPlace(one: string, other: string): number {
  const paths = Object.keys(document.paths);
  return paths.indexOf(one) - paths.indexOf(other);
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isPictureUrl } from '../../../src/platform/validation/picture-url.js';
import { parseUrl } from '../../../src/config/parse-url.js';

/** More calls than V8 needs to compile a function: 5,000 were seen on Node 20, 22,000 on Node 22. */
const calls = 200_000;

describe('An address with letters of Latin-1', () => {
  const address = 'https://bücher.example/größe.png';

  it('is valid on the first call and on the last', () => {
    expect(parseUrl(address)?.hostname).toBe('xn--bcher-kva.example');
    let refused = 0;
    for (let call = 0; call < calls; call++) if (!isPictureUrl(address)) refused++;
    expect(refused).toBe(0);
  });

  it('is nowhere checked by URL.canParse', () => {
    const root = new URL('../../../', import.meta.url);
    const files = ['src', 'bench', 'scripts', 'packages/sdk/src'].flatMap((place) =>
      readdirSync(new URL(place, root), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|mjs)$/.test(file))
        .map((file) => `${place}/${file}`),
    );
    expect(files.length).toBeGreaterThan(500);
    const judged = files.filter((file) => /canParse\(/.test(readFileSync(new URL(file, root), 'utf8')));
    expect(judged).toEqual([]);
  });
});

describe('A text that is no address', () => {
  it('yields null, and resolves only against a base', () => {
    expect(parseUrl('x')).toBeNull();
    expect(parseUrl('/x?y', 'https://a.example/z')?.href).toBe('https://a.example/x?y');
  });
});

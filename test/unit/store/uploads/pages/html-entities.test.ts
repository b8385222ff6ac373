import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { decodeEntities } from '../../../../../src/store/uploads/pages/html-entities.js';

describe('decodeEntities', () => {
  it.each([
    ['Fish &amp; Chips', 'Fish & Chips'],
    ['&lt;b&gt; &quot;x&quot; &apos;y&apos;', `<b> "x" 'y'`],
    ['&Eacute;t&eacute; &yuml;&nbsp;&copy;', 'Été ÿ\u00a0©'],
    ['&#233;&#xE9;&#XE9;', 'ééé'],
    ['&#128512;&#x1F600;', '😀😀'],
    ['&#8211 x', '– x'],
    ['&#150;&#x80;', '–€'],
    ['&#0;&#xD800;&#x110000;&#999999999;', '\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}'],
    ['&amp;lt;', '&lt;'],
    ['&unheard; & &; &# &#x; a&b', '&unheard; & &; &# &#x; a&b'],
    ['AT&T &constructor;', 'AT&T &constructor;'],
  ])('reads %j as %j', (html, text) => {
    expect(decodeEntities(html)).toBe(text);
  });

  it('gives back any text that was escaped', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
        expect(decodeEntities(escaped)).toBe(text);
      }),
    );
  });
});

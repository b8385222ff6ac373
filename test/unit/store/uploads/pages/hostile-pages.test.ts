import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, property, string, tuple } from 'fast-check';
import { previewOf } from '../../../../../src/store/uploads/pages/page-preview.js';

const size = 5 * 1024 * 1024;
/** A linear walk takes some 50 ms; one that looks back over what it has seen takes minutes. */
const generousMs = 2_000;

function timeOf(page: Buffer, contentType = 'text/html'): number {
  const began = performance.now();
  previewOf(page, contentType);
  return performance.now() - began;
}

const openings = [
  ['<', '>', '"', "'", '=', '/', '&', ';', ' ', '\t', '\n', 'a', '\u{FFFD}', '&#', '&amp', '&amp;', '&notit;'],
  ['<!', '<!-', '<!--', '<!-- --', '--', '<!-->', '<?', '<?xml ', '<![CDATA[', ']]', '</', '</>', '</a>', '</a '],
  ['<a', '<a>', '<a ', '<a a', '<a a=', '<a a="', "<a a='", '<a a="" ', '<a/', '<p>', '<b><i>', '<form>'],
  ['<meta', '<meta ', '<meta charset', '<meta name=', '<meta a="', '<meta content=""', '<meta name=x>', '<meta>'],
  ['<title', '<title>', '<title></title>', '</title', '<script>', '<script></script', '<style><', '<textarea>&'],
  ['<svg>', '<svg><title>', '<svg/>', '<template>', '</svg>', '<plaintext>', '<xmp>', '<iframe>', '<noembed>'],
].flat();

describe('the preview of a hostile page', () => {
  it.each(openings)('takes little time where %j goes on for 5 MiB', (part) => {
    expect(timeOf(Buffer.alloc(size, part))).toBeLessThan(generousMs);
  });

  it.each([
    ['as many ends as beginnings', '<b>'.repeat(400_000) + '</x>'.repeat(400_000)],
    ['attributes without end', `<meta ${Array.from({ length: 200_000 }, (_, at) => `a${at}=${at} `).join('')}>`],
    ['nesting that opens and closes', '<svg>'.repeat(200_000) + '</svg>'.repeat(200_000)],
    ['an open title full of entities', `<title>${'&amp;'.repeat(300_000)}`],
    ['an open attribute full of entities', `<meta content="${'&amp'.repeat(300_000)}`],
  ])('takes little time with %s', (_what, page) => {
    expect(timeOf(Buffer.from(page))).toBeLessThan(generousMs);
  });

  it.each(['text/html; charset=utf-16le', 'text/html; charset=shift_jis', 'text/html; charset=gb18030', 'text/plain'])(
    'takes little time as %s',
    (contentType) => expect(timeOf(Buffer.alloc(size, '<meta '), contentType)).toBeLessThan(generousMs),
  );

  it('takes little time for anything that goes on and on', () => {
    const part = string({ unit: constantFrom(...openings.join('')), minLength: 1, maxLength: 12 });
    assert(
      property(tuple(constantFrom(...openings), part), ([opening, pump]) => {
        expect(timeOf(Buffer.concat([Buffer.from(opening), Buffer.alloc(300_000, pump)]))).toBeLessThan(generousMs);
      }),
    );
  });
});

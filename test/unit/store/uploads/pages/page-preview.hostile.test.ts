import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, property, string, tuple } from 'fast-check';
import { previewOf } from '../../../../../src/store/uploads/pages/page-preview.js';

const size = 5 * 1024 * 1024;
/** The longest possible preview: title, dash and description. */
const longest = 300 + 3 + 700;

/** A linear walk takes some 50 ms; one that rereads what it has seen does not end while anybody waits. */
function expectPreview(page: Buffer, contentType = 'text/html'): void {
  expect([...previewOf(page, contentType)].length).toBeLessThanOrEqual(longest);
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
  it.each(openings)('ends when %j is repeated for 5 MiB', (part) => {
    expectPreview(Buffer.alloc(size, part));
  });

  it.each([
    ['as many ends as beginnings', '<b>'.repeat(400_000) + '</x>'.repeat(400_000)],
    ['attributes without end', `<meta ${Array.from({ length: 200_000 }, (_, at) => `a${at}=${at} `).join('')}>`],
    ['nesting that opens and closes', '<svg>'.repeat(200_000) + '</svg>'.repeat(200_000)],
    ['an open title full of entities', `<title>${'&amp;'.repeat(300_000)}`],
    ['an open attribute full of entities', `<meta content="${'&amp'.repeat(300_000)}`],
  ])('ends with %s', (_what, page) => {
    expectPreview(Buffer.from(page));
  });

  it.each(['text/html; charset=utf-16le', 'text/html; charset=shift_jis', 'text/html; charset=gb18030', 'text/plain'])(
    'ends as %s',
    (contentType) => expectPreview(Buffer.alloc(size, '<meta '), contentType),
  );

  it('ends for any endless repetition', () => {
    const part = string({ unit: constantFrom(...openings.join('')), minLength: 1, maxLength: 12 });
    assert(
      property(tuple(constantFrom(...openings), part), ([opening, pump]) => {
        expectPreview(Buffer.concat([Buffer.from(opening), Buffer.alloc(300_000, pump)]));
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { previewOf } from '../../../../../src/store/uploads/pages/page-preview.js';

const html = (head: string): Buffer => Buffer.from(`<!doctype html><html><head>${head}</head><body>Hi</body></html>`);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('previewOf', () => {
  it('reads the dashes and quotes of windows-1252', () => {
    expect(previewOf(latin('<title>\x93A\x94 \x96 5 \x80</title>'), 'text/html; charset=latin1')).toBe('“A” – 5 €');
  });

  it('joins title and description of a page', () => {
    const page = html('<title>Lamps</title><meta name="description" content="For desks">');
    expect(previewOf(page, 'text/html; charset=utf-8')).toBe('Lamps — For desks');
    expect(previewOf(page, 'Application/XHTML+xml')).toBe('Lamps — For desks');
  });

  it('returns the only one there is, or nothing', () => {
    expect(previewOf(html('<title>Lamps</title>'), 'text/html')).toBe('Lamps');
    expect(previewOf(html('<meta name="description" content="For desks">'), 'text/html')).toBe('For desks');
    expect(previewOf(html(''), 'text/html')).toBe('');
  });

  it('limits both, and never cuts within a character', () => {
    const page = html(`<title>${'😀'.repeat(400)}</title><meta name="description" content="${'x'.repeat(5_000)}">`);
    const [title = '', description = ''] = previewOf(page, 'text/html').split(' — ');
    expect(title).toBe(`${'😀'.repeat(299)}…`);
    expect(description).toBe(`${'x'.repeat(699)}…`);
  });

  it('returns the first 1,000 characters of a text', () => {
    expect(previewOf(Buffer.from('é'.repeat(1_500)), 'text/plain')).toBe('é'.repeat(1_000));
    expect(previewOf(Buffer.from('😀'.repeat(1_500)), 'text/plain')).toBe('😀'.repeat(1_000));
    expect(previewOf(Buffer.from('{"a": 1}'), 'application/json')).toBe('{"a": 1}');
    expect(previewOf(Buffer.from('<rss/>'), 'application/rss+xml')).toBe('<rss/>');
  });

  it.each(['image/png', 'application/octet-stream', 'application/pdf', '', null])('returns nothing for %j', (type) => {
    expect(previewOf(html('<title>Lamps</title>'), type)).toBe('');
  });

  it.each([
    ['the header', 'text/html; charset=iso-8859-1', latin('<title>Été</title>')],
    ['the header in quotes', 'text/html; Charset="windows-1252"', latin('<title>Été</title>')],
    ['its own declaration', 'text/html', latin('<meta charset=latin1><title>Été</title>')],
    [
      'its older declaration',
      'text/html',
      latin('<meta http-equiv=x content="text/html; charset=latin1"><title>Été</title>'),
    ],
    [
      'its XML declaration',
      'application/xhtml+xml',
      latin('<?xml version="1.0" encoding="iso-8859-1"?><html><title>Été</title>'),
    ],
    ['its bytes: UTF-8', 'text/html', Buffer.from('<title>Été</title>')],
    ['its bytes: not UTF-8', 'text/html', latin('<title>Été</title>')],
    ['its byte order mark', 'text/html; charset=latin1', Buffer.from('\u{FEFF}<title>Été</title>')],
    ['its byte order mark, UTF-16', 'text/html', Buffer.from('\u{FEFF}<title>Été</title>', 'utf16le')],
    ['its bytes when the label is unknown', 'text/html; charset=klingon', Buffer.from('<title>Été</title>')],
    [
      'its bytes when it claims UTF-16 in single bytes',
      'text/html',
      Buffer.from('<meta charset=utf-16><title>Été</title>'),
    ],
  ])('detects the encoding of a page from %s', (_how, type, page) => {
    expect(previewOf(page, type)).toBe('Été');
  });

  it('does not take a description for a declaration', () => {
    const page = html('<meta name="description" content="charset=latin1"><title>Été</title>');
    expect(previewOf(page, 'text/html')).toBe('Été — charset=latin1');
  });

  it('drops the incomplete character where it stops reading a text', () => {
    expect(previewOf(Buffer.from(`x${'日'.repeat(9_000)}`), 'text/plain')).toBe(`x${'日'.repeat(999)}`);
  });

  it('reads encodings beyond the Western ones', () => {
    const page = Buffer.concat([Buffer.from('<title>'), Buffer.from('93fa967b8cea', 'hex'), Buffer.from('</title>')]);
    expect(previewOf(page, 'text/html; charset=Shift_JIS')).toBe('日本語');
  });
});

import { describe, expect, it } from '@jest/globals';
import { contentTypeOf, formatOf } from '../../../../../src/store/uploads/pictures/picture-format.js';
import { makePicture, pictureFormats } from '../../../../support/pictures.js';

function ftyp(...brands: string[]): Buffer {
  const [major = '', ...compatible] = brands;
  const body = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

describe('formatOf', () => {
  it.each(pictureFormats)('recognizes a %s by its bytes', async (format) => {
    expect(formatOf(await makePicture(format))).toBe(format);
  });

  it('recognizes an AVIF by a compatible brand', () => {
    expect(formatOf(ftyp('mif1', 'miaf', 'avif'))).toBe('avif');
    expect(formatOf(ftyp('avis', 'msf1'))).toBe('avif');
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['XML before an SVG', Buffer.from('<?xml version="1.0"?><svg/>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['HEIC', ftyp('heic', 'mif1', 'heic')],
    ['MP4', ftyp('isom', 'iso2', 'mp41')],
    ['TIFF', Buffer.from('II*\0', 'latin1')],
    ['BMP', Buffer.from('BM\0\0\0\0', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['RIFF audio', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
    ['the word avif beyond the first box', Buffer.concat([ftyp('isom'), Buffer.from('avif')])],
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
  ])('does not accept %s', (_name, bytes) => {
    expect(formatOf(bytes)).toBeNull();
  });
});

describe('contentTypeOf', () => {
  it.each([
    ['a-1.png', 'image/png'],
    ['9f6b0a5e-0f5e-4c59-9d5f-0d6f2d0d3c11.jpg', 'image/jpeg'],
    ['x.avif', 'image/avif'],
  ])('says that %s is %s', (filename, type) => {
    expect(contentTypeOf(filename)).toBe(type);
  });

  it.each([
    'x.svg',
    'x.html',
    '.png',
    '../x.png',
    'a/b.png',
    'a\\b.png',
    'x.png\0',
    'x.png.html',
    'X.PNG',
    '-x.png',
    'x',
  ])('does not take %j for one of our file names', (filename) => {
    expect(contentTypeOf(filename)).toBeNull();
  });
});

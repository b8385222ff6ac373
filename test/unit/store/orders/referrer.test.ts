import { describe, expect, it } from '@jest/globals';
import { originOf } from '../../../../src/store/orders/referrer.js';

describe('originOf', () => {
  it.each([
    ['https://shop.example/path?query=1#part', 'https://shop.example'],
    ['http://shop.example:8080/', 'http://shop.example:8080'],
    ['https://shop.example:443/', 'https://shop.example'],
    ['https://user:secret@shop.example/', 'https://shop.example'],
    ['HTTPS://SHOP.EXAMPLE', 'https://shop.example'],
  ])('of %s is %s', (referer, origin) => {
    expect(originOf(referer)).toBe(origin);
  });

  it.each([
    undefined,
    '',
    'shop.example',
    '/path',
    'about:blank',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
  ])('of %s is null', (referer) => {
    expect(originOf(referer)).toBeNull();
  });
});

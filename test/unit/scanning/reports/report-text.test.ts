import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { categoryOfCwes, cwesIn } from '../../../../src/scanning/reports/cwe-category.js';
import { Cuts } from '../../../../src/scanning/reports/cuts.js';
import { requestIn, responseIn } from '../../../../src/scanning/reports/http-text.js';
import { identifierOf, numberOf, plainText, textOf } from '../../../../src/scanning/reports/report-text.js';
import { anyText } from '../../../support/any-text.js';

describe('plainText', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['&lt;b&gt; &#65;&#x42; &nbsp;x &unknown; &#0; &#9999999;', '<b> AB  x &unknown; \ufffd \ufffd'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ])('reads %j as %j', (html, text) => {
    expect(plainText(html, 1_000)).toBe(text);
  });

  it.each([
    ['<P>Upper</P><p class="a">case</p>', 'Upper\ncase'],
    ['a < b, x<y and a</b', 'a < b, x<y and a</b'],
    ['<a<b>c', '<ac'],
    ['<brx>y</brx>', 'y'],
    ['https://x.example/?a=1&copy=2&lt;', 'https://x.example/?a=1&copy=2<'],
    ['&eacute;&hellip;&Auml;', 'é…Ä'],
    ['<p>  one  </p>\n\n <p>\ttwo</p>', 'one\ntwo'],
    ['payload <!-- was kept', 'payload <!-- was kept'],
  ])('reads %j as %j', (html, text) => {
    expect(plainText(html, 1_000)).toBe(text);
  });

  it.each([
    ['tags without an end', '<a'],
    ['blanks', ' '],
    ['tabs', '\t'],
    ['lines', '\n'],
    ['lines of blanks', ' \n '],
    ['line ends', '</p>'],
    ['open line ends', '</p '],
    ['ampersands', '&'],
    ['open entities', '&#'],
    ['entities without an end', '&#1'],
    ['brackets', '<'],
    ['closed brackets', '>'],
    ['tags', '<b>'],
    ['quotes in a tag', '<a b="'],
    ['letters', 'a'],
  ])('reads 300,000 %s, within the time of a test', async (_, piece) => {
    for (const text of [piece.repeat(300_000), `<a${piece.repeat(300_000)}`, `${piece.repeat(300_000)}x`]) {
      for (const maxLength of [20_000, 1_000_000]) {
        expect(plainText(text, maxLength).length).toBeLessThanOrEqual(maxLength);
        await tick();
      }
    }
  });

  it('never throws, and never exceeds the length', () => {
    const piece = fc.oneof(anyText(), fc.constantFrom('<', '</p>', '<br/>', '&amp;', '&#x110000;', '&#', '\n'));
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 50 }), (pieces, maxLength) => {
        const text = plainText(pieces.join(''), maxLength);
        expect(text.length).toBeLessThanOrEqual(maxLength);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toContain('\0');
      }),
    );
  });
});

describe('textOf', () => {
  it.each([
    [' a ', 'a'],
    [5, '5'],
    [true, 'true'],
    [null, ''],
    [{}, ''],
    [['a'], ''],
    ['abcdef', 'abcd…'],
    ['a\0b', 'ab'],
  ])('reads %j as %j', (value, text) => {
    expect(textOf(value, 5)).toBe(text);
  });

  it('does not cut a character in half', () => {
    expect(textOf('abc😀de', 5).isWellFormed()).toBe(true);
    expect(identifierOf('😀'.repeat(100), 80).isWellFormed()).toBe(true);
  });
});

describe('numberOf', () => {
  it.each([
    ['5', 5],
    [' 7.5 ', 7.5],
    [3, 3],
    ['', null],
    ['x', null],
    [null, null],
    [Infinity, null],
    [true, null],
  ])('reads %j as %j', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });
});

describe('categoryOfCwes', () => {
  const categories = {
    INJECTION: [89, 78, 79, 94],
    REQUEST_FORGERY: [352],
    ACCESS_CONTROL: [284, 285, 639, 862, 863],
    INFORMATION_DISCLOSURE: [200, 209, 532],
    RESOURCE_LIMITATION: [770, 400],
    CONFIGURATION: [16, 693, 1021],
    SENSITIVE_DATA: [311, 312, 319],
    CUSTOM: [0, -1, 99_999],
  };

  it.each(Object.entries(categories))('knows what is %s', (category, cwes) => {
    expect(cwes.map((cwe) => categoryOfCwes([cwe]))).toEqual(cwes.map(() => category));
  });
});

describe('cwesIn', () => {
  it.each([
    ['external/cwe/cwe-079', [79]],
    ['CWE-89: SQL Injection', [89]],
    ['cwe:22', [22]],
    ['(CWE-120, CWE-20)', [120, 20]],
    ['cwe', []],
    ['79', []],
    ['acwe-79', []],
  ])('reads %j as %j', (text, cwes) => {
    expect(cwesIn(text)).toEqual(cwes);
  });
});

describe('requestIn and responseIn', () => {
  it('read messages with either line end', () => {
    expect(
      requestIn('PUT /a?b=1 HTTP/2\nA: 1\nB:2\nbroken\n\nbody\n\nmore', 'https://x.example/y', new Cuts()),
    ).toEqual({
      method: 'PUT',
      url: 'https://x.example/a?b=1',
      headers: { A: '1', B: '2' },
      body: 'body\n\nmore',
    });
    expect(responseIn('HTTP/2 404\r\n\r\n', new Cuts())).toEqual({ status: 404, headers: {} });
  });

  it.each(['', 'hello', 'GET', ';; opcode: QUERY', '\u0000\u0001'])('find none in %j', (text) => {
    expect([requestIn(text, '', new Cuts()), responseIn(text, new Cuts())]).toEqual([null, null]);
  });

  it('do not touch the prototype of the headers', () => {
    expect(
      Object.keys(responseIn('HTTP/1.1 200 OK\n__proto__: x\nconstructor: y\n\n', new Cuts())?.headers ?? {}),
    ).toEqual(['constructor']);
  });
});

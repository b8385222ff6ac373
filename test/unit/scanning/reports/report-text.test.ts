import { describe, expect, it } from '@jest/globals';
import { categoryOfCwes, cwesIn } from '../../../../src/scanning/reports/cwe-category.js';
import { requestIn, responseIn } from '../../../../src/scanning/reports/http-text.js';
import { identifierOf, numberOf, plainText, textOf } from '../../../../src/scanning/reports/report-text.js';

describe('plainText', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['&lt;b&gt; &#65;&#x42; &nbsp;x &unknown; &#0; &#9999999;', '<b> AB  x &unknown; &#0; &#9999999;'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ])('reads %j as %j', (html, text) => {
    expect(plainText(html, 1_000)).toBe(text);
  });

  it('takes no longer for tags without an end', () => {
    const started = performance.now();
    plainText('<a'.repeat(500_000), 20_000);
    expect(performance.now() - started).toBeLessThan(500);
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

  it('cuts no character in half', () => {
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
  it('read what went over the wire, with either end of a line', () => {
    expect(requestIn('PUT /a?b=1 HTTP/2\nA: 1\nB:2\nbroken\n\nbody\n\nmore', 'https://x.example/y')).toEqual({
      method: 'PUT',
      url: 'https://x.example/a?b=1',
      headers: { A: '1', B: '2' },
      body: 'body\n\nmore',
    });
    expect(responseIn('HTTP/2 404\r\n\r\n')).toEqual({ status: 404, headers: {} });
  });

  it.each(['', 'hello', 'GET', ';; opcode: QUERY', '\u0000\u0001'])('find none in %j', (text) => {
    expect([requestIn(text, ''), responseIn(text)]).toEqual([null, null]);
  });

  it('leave the prototype of the headers alone', () => {
    expect(Object.keys(responseIn('HTTP/1.1 200 OK\n__proto__: x\nconstructor: y\n\n')?.headers ?? {})).toEqual([
      'constructor',
    ]);
  });
});

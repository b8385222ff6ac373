import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isPublicAddress } from '../../../../src/platform/net/addresses.js';
import { parseEgressAllow } from '../../../../src/platform/net/egress-allow.js';
import { parseTarget } from '../../../../src/platform/net/target.js';
import { TargetRefused } from '../../../../src/platform/net/target-errors.js';
import { anyText } from '../../../support/any-text.js';

const NOTHING = parseEgressAllow('');

describe('parseTarget', () => {
  it.each([
    ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
    ['  HTTP://EXAMPLE.com:80  ', 'http://example.com/'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://93.184.216.34:8080/', 'http://93.184.216.34:8080/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ])('reads %s', (text, href) => expect(parseTarget(text, NOTHING).href).toBe(href));

  it.each([
    ['', 'not a valid URL'],
    ['/relative', 'not a valid URL'],
    ['example.com', 'not a valid URL'],
    ['http://', 'not a valid URL'],
    ['http://a b/', 'not a valid URL'],
    ['http://host:99999/', 'not a valid URL'],
    ['http://[fe80::1%25eth0]/', 'not a valid URL'],
    ['http://1.2.3.4.5/', 'not a valid URL'],
    ['ftp://example.com/', 'must begin with http:// or https://'],
    ['file:///etc/passwd', 'must begin with http:// or https://'],
    ['data:text/plain,hello', 'must begin with http:// or https://'],
    ['javascript:alert(1)', 'must begin with http:// or https://'],
    ['gopher://example.com/', 'must begin with http:// or https://'],
    ['http://user@example.com/', 'must not contain a user name'],
    ['http://:secret@example.com/', 'must not contain a user name'],
    ['http://example.com:0/', 'Port 0'],
    ['http://127.0.0.1/', 'private or reserved network'],
    ['http://[::1]/', 'private or reserved network'],
  ])('refuses "%s" and says why', (text, reason) => {
    expect(() => parseTarget(text, NOTHING)).toThrow(TargetRefused);
    expect(() => parseTarget(text, NOTHING)).toThrow(reason);
  });

  it('accepts a listed address and no other', () => {
    const allow = parseEgressAllow('127.0.0.0/8');
    expect(parseTarget('http://2130706433:9000/', allow).host).toBe('127.0.0.1:9000');
    expect(() => parseTarget('http://10.0.0.1/', allow)).toThrow(TargetRefused);
  });

  it('judges an IPv4 address the same in every spelling', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(5), (number, spelling) => {
        const octets = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
        const [a = 0, b = 0, c = 0, d = 0] = octets;
        const spelled = [
          octets.join('.'),
          String(number),
          `0x${number.toString(16)}`,
          octets.map((octet) => `0${octet.toString(8)}`).join('.'),
          `0x${a.toString(16)}.${b * 65536 + c * 256 + d}`,
          `${octets.join('。')}.`,
        ][spelling];
        const passes = isPublicAddress(octets.join('.'));
        if (passes) expect(parseTarget(`http://${spelled}/`, NOTHING).hostname).toBe(octets.join('.'));
        else expect(() => parseTarget(`http://${spelled}/`, NOTHING)).toThrow(TargetRefused);
      }),
      { numRuns: 1000 },
    );
  });

  it('turns any text into a URL or a refusal', () => {
    const text = fc.oneof(
      anyText(),
      fc.webUrl(),
      fc.string().map((rest) => `http://${rest}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(['http:', 'https:']).toContain(parseTarget(given, NOTHING).protocol);
        } catch (error) {
          expect(error).toBeInstanceOf(TargetRefused);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { allowsAddress, allowsHost, parseEgressAllow } from '../../../../src/platform/net/egress-allow.js';

describe('parseEgressAllow', () => {
  it('allows nothing when the text is empty', () => {
    const allow = parseEgressAllow(' , ');
    expect(allowsHost(allow, 'localhost')).toBe(false);
    expect(allowsAddress(allow, '127.0.0.1')).toBe(false);
  });

  it('reads hosts, addresses and CIDRs separated by commas or blanks', () => {
    const allow = parseEgressAllow('Hooks.Internal,10.0.0.0/8 ::1, fd00::/8\n192.168.1.7');
    expect(allowsHost(allow, 'hooks.internal')).toBe(true);
    expect(allowsHost(allow, 'HOOKS.internal.')).toBe(true);
    expect(allowsAddress(allow, '10.255.0.1')).toBe(true);
    expect(allowsAddress(allow, '::1')).toBe(true);
    expect(allowsAddress(allow, 'fd12::9')).toBe(true);
    expect(allowsAddress(allow, '192.168.1.7')).toBe(true);
  });

  it('does not allow neighbours of what is listed', () => {
    const allow = parseEgressAllow('hooks.internal 10.0.0.0/8 ::1 192.168.1.7');
    expect(allowsHost(allow, 'x.hooks.internal')).toBe(false);
    expect(allowsHost(allow, 'internal')).toBe(false);
    expect(allowsAddress(allow, '11.0.0.0')).toBe(false);
    expect(allowsAddress(allow, '::2')).toBe(false);
    expect(allowsAddress(allow, '192.168.1.8')).toBe(false);
    expect(allowsAddress(allow, '::ffff:10.0.0.1')).toBe(false);
    expect(allowsAddress(allow, 'hooks.internal')).toBe(false);
  });

  it.each([
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    'localhost/8',
    '127.0.0.1:9000',
    'localhost:9000',
    'http://localhost',
    '*.internal',
    '*',
    'user@host',
    '0x7f.1',
    '2130706433',
    '010.0.0.1',
    'fe80::1%eth0',
    '[::1]',
    '-a.example',
    'a..b',
  ])('names the bad entry "%s"', (entry) => {
    expect(() => parseEgressAllow(`good.example, ${entry}`)).toThrow(`"${entry}" is not a host name`);
  });

  it('either allows a listed entry or reports it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string({ minLength: 1 })), (entry) => {
        fc.pre(!/[\s,]/.test(entry));
        try {
          const allow = parseEgressAllow(entry);
          expect(allowsHost(allow, entry) || allowsAddress(allow, entry.replace(/\/.*/, ''))).toBe(true);
        } catch (error) {
          expect(String(error)).toContain(`"${entry}" is not`);
        }
      }),
    );
  });
});

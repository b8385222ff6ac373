import { describe, expect, it } from '@jest/globals';
import { limitKeyOf, isLimited } from '../../../../src/platform/net/caller-address.js';

describe('limitKeyOf', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    'takes %s for loopback, which is not counted',
    (ip) => {
      expect(limitKeyOf(ip)).toBe('loopback');
      expect(isLimited(limitKeyOf(ip))).toBe(false);
    },
  );

  it('takes an IPv4 address as it is, even when mapped into IPv6', () => {
    expect(limitKeyOf('198.51.100.7')).toBe('198.51.100.7');
    expect(limitKeyOf('::ffff:198.51.100.7')).toBe('198.51.100.7');
    expect(isLimited('198.51.100.7')).toBe(true);
  });

  it('takes the /64 of an IPv6 address, whatever its spelling and zone', () => {
    const one = limitKeyOf('2001:db8:1:2::1');
    expect(limitKeyOf('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe(one);
    expect(limitKeyOf('2001:db8:1:2::1%eth0')).toBe(one);
    expect(limitKeyOf('2001:db8:1:3::1')).not.toBe(one);
  });

  it.each([undefined, '', 'not an address'])('counts %s as unknown, all together', (ip) => {
    expect(limitKeyOf(ip)).toBe('unknown');
    expect(isLimited(limitKeyOf(ip))).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { guessAddressOf, isCounted } from '../../../../src/store/users/guess-address.js';

describe('guessAddressOf', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    'takes %s for loopback, which is not counted',
    (ip) => {
      expect(guessAddressOf(ip)).toBe('loopback');
      expect(isCounted(guessAddressOf(ip))).toBe(false);
    },
  );

  it('takes an IPv4 address as it is, mapped into IPv6 too', () => {
    expect(guessAddressOf('198.51.100.7')).toBe('198.51.100.7');
    expect(guessAddressOf('::ffff:198.51.100.7')).toBe('198.51.100.7');
    expect(isCounted('198.51.100.7')).toBe(true);
  });

  it('takes the /64 of an IPv6 address, whatever its spelling and zone', () => {
    const one = guessAddressOf('2001:db8:1:2::1');
    expect(guessAddressOf('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe(one);
    expect(guessAddressOf('2001:db8:1:2::1%eth0')).toBe(one);
    expect(guessAddressOf('2001:db8:1:3::1')).not.toBe(one);
  });

  it.each([undefined, '', 'not an address'])('counts %s together as unknown', (ip) => {
    expect(guessAddressOf(ip)).toBe('unknown');
    expect(isCounted(guessAddressOf(ip))).toBe(true);
  });
});

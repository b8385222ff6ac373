import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { callerAddressOf } from '../../../../src/platform/net/caller-address.js';
import { visitorAddressOf, visitorHeaders } from '../../../../src/platform/net/visitor-address.js';

const [name = '', value = ''] = Object.entries(visitorHeaders('203.0.113.7')).flat();
const requestWith = (headers: Record<string, string>) =>
  ({ headers, socket: { remoteAddress: '198.51.100.1' } }) as unknown as IncomingMessage;
const trusts = { proxy: () => false, loopback: false };

describe("A visitor's address", () => {
  it("is that of a call which carries the process's secret", () => {
    expect(visitorAddressOf({ headers: { [name]: value } })).toBe('203.0.113.7');
    expect(callerAddressOf(requestWith({ [name]: value }), trusts)).toBe('203.0.113.7');
  });

  it.each([
    ['nothing', ''],
    ['an address alone', '203.0.113.7'],
    ['another secret of the same length', `${'x'.repeat(value.indexOf(' '))} 203.0.113.7`],
    ['a part of the secret', value.slice(3)],
    ['other letters, of several bytes', `${'ü'.repeat(value.indexOf(' '))} 203.0.113.7`],
  ])('is not what a caller claims with %s', (_, claimed) => {
    expect(visitorAddressOf({ headers: { [name]: claimed } })).toBeUndefined();
    expect(callerAddressOf(requestWith({ [name]: claimed }), trusts)).toBe('198.51.100.1');
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseEgressAllow } from '../../../../src/platform/net/egress-allow.js';
import { type SingleRequest, redirectedRequest } from '../../../../src/platform/net/redirects.js';
import { TargetRefused } from '../../../../src/platform/net/target-errors.js';

const NOTHING = parseEgressAllow('');
const hop: SingleRequest = {
  url: new URL('http://shop.example/a/b?c'),
  method: 'POST',
  headers: [
    ['Authorization', 'Bearer secret'],
    ['X-Key', 'secret'],
    ['Accept', 'text/html'],
    ['Content-Type', 'text/plain'],
  ],
  body: Buffer.from('hello'),
};

function redirect(status: number, location: string, from = hop): SingleRequest | null {
  return redirectedRequest(from, { status, location }, NOTHING);
}

describe('redirectedRequest', () => {
  it.each([200, 300, 304, 305, 306, 404])('treats a %i as the final response', (status) => {
    expect(redirect(status, '/x')).toBeNull();
  });

  it('treats a redirect without Location as the final response', () => {
    expect(redirectedRequest(hop, { status: 302, location: undefined }, NOTHING)).toBeNull();
  });

  it.each([
    ['c', 'http://shop.example/a/c'],
    ['/c', 'http://shop.example/c'],
    ['//other.example/c', 'http://other.example/c'],
    ['https://shop.example/', 'https://shop.example/'],
    [Buffer.from('/grün').toString('latin1'), 'http://shop.example/gr%C3%BCn'],
  ])('resolves "%s" against the page', (location, href) => {
    expect(redirect(302, location)?.url.href).toBe(href);
  });

  it.each([301, 302, 303])('turns a POST into a GET without a body on %i', (status) => {
    const next = redirect(status, '/x');
    expect(next).toMatchObject({ method: 'GET', body: undefined });
    expect(next?.headers.map(([name]) => name)).toEqual(['Authorization', 'X-Key', 'Accept']);
  });

  it.each([307, 308])('repeats method and body on %i', (status) => {
    expect(redirect(status, '/x')).toEqual({ ...hop, url: new URL('http://shop.example/x') });
  });

  it('keeps HEAD on 303', () => {
    expect(redirect(303, '/x', { ...hop, method: 'HEAD' })?.method).toBe('HEAD');
  });

  it.each(['http://other.example/', 'https://shop.example/', 'http://shop.example:81/'])(
    'carries no header that may be a credential to %s',
    (location) => {
      expect(redirect(307, location)?.headers.map(([name]) => name)).toEqual(['Accept', 'Content-Type']);
    },
  );

  it.each(['http://10.0.0.1/', 'http://0x7f.1/', 'file:///etc/passwd', 'http://[', 'http://u:p@shop.example/'])(
    'refuses to go to %s',
    (location) => expect(() => redirect(302, location)).toThrow(TargetRefused),
  );
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shownSecretUrl, shownUrl } from '../../../src/scanning/shown-url.js';

describe('shownUrl', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com:8443/a/b', 'https://example.com:8443/a/b'],
    ['https://example.com/a?key=1', 'https://example.com/a'],
    ['https://example.com/a#token', 'https://example.com/a'],
    ['https://example.com/?', 'https://example.com/'],
    ['https://me:pass@example.com/a', 'https://example.com/a'],
    ['https://token@example.com/a', 'https://example.com/a'],
    ['https://:pass@example.com/a', 'https://example.com/a'],
    [
      'https://example.com/services/T01ABC2DE/k7Q2mZ9xW4cV8bN1tY6pR3sL',
      'https://example.com/services/T01ABC2DE/••••R3sL',
    ],
    ['https://example.com/proxy/https://me:passwords@host/', '••••ost/'],
    ['postgres://me:pass@db.example.com/shop', 'postgres://db.example.com/shop'],
    ['postgres://sa:12/ss@db/x', '••••db/x'],
    ['postgres://sa:12?ss@db/x', '••••db/x'],
    ['no address at all', '•••• all'],
  ])('shows of %s %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  it('hides all of a password with characters that end a host', () => {
    const password = fc.stringMatching(/^[a-z0-9]{3,9}[/?#\\][a-z0-9/?#:]{3,9}$/);
    fc.assert(
      fc.property(fc.constantFrom('postgres', 'https', 'amqp'), password, (scheme, secret) => {
        expect(shownUrl(`${scheme}://sa:${secret}@db.example.com/x`)).toBe('••••om/x');
      }),
    );
  });

  it('shows neither query, fragment nor user information of any URL', () => {
    const parts = fc.record({
      base: fc.webUrl(),
      user: fc.stringMatching(/^u[a-z]{1,8}$/),
      password: fc.stringMatching(/^[a-z0-9]{6,20}$/),
      value: fc.stringMatching(/^[a-zA-Z0-9]{10,30}$/),
    });
    fc.assert(
      fc.property(parts, ({ base, user, password, value }) => {
        const url = `${base.replace('://', `://${user}:${password}@`)}?q=${value}#${value}`;
        fc.pre(!base.includes(password) && !base.includes(value));
        const shown = shownUrl(url);
        expect(shown).not.toMatch(/[?#]/);
        expect(shown.includes(password) || shown.includes(value)).toBe(false);
      }),
    );
  });
});

describe('shownSecretUrl', () => {
  it.each([
    ['https://hooks.example.com/services/T01ABC2DE/k7Q2mZ9x', 'https://hooks.example.com/••••mZ9x'],
    ['no address at all', '•••• all'],
  ])('shows of %s %s', (url, shown) => {
    expect(shownSecretUrl(url)).toBe(shown);
  });
});

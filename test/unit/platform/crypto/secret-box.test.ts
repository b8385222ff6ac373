import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { SecretBox } from '../../../../src/platform/crypto/secret-box.js';
import { Secrets } from '../../../../src/config/secrets.js';

const box = new SecretBox(new Secrets('', randomBytes(32)));

describe('SecretBox', () => {
  it('opens what it sealed, whatever the text', () => {
    assert(
      property(string({ unit: 'grapheme' }), string(), (secret, place) => {
        expect(box.open(box.seal(secret, place), place)).toBe(secret);
      }),
    );
  });

  it('writes its version first and never the secret', () => {
    const sealed = box.seal('JBSWY3DPEHPK3PXP', 'totp:1');
    expect(sealed).toMatch(/^v1(\.[\w-]+){3}$/);
    expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  });

  it('seals the same secret differently each time', () => {
    expect(box.seal('secret', 'here')).not.toBe(box.seal('secret', 'here'));
  });

  it('does not open a secret moved to another place', () => {
    expect(() => box.open(box.seal('secret', 'totp:1'), 'totp:2')).toThrow('cannot be opened');
  });

  it('does not open with another key', () => {
    const other = new SecretBox(new Secrets('', randomBytes(32)));
    expect(() => other.open(box.seal('secret', 'here'), 'here')).toThrow('another ENCRYPTION_KEY');
  });

  it('does not open a secret changed in any part', () => {
    const parts = box.seal('secret', 'here').split('.');
    for (const index of [1, 2, 3]) {
      const part = parts[index] ?? '';
      const changed = parts.with(index, (part.startsWith('A') ? 'B' : 'A') + part.slice(1)).join('.');
      expect(() => box.open(changed, 'here')).toThrow('cannot be opened');
    }
  });

  it('does not open a shortened tag', () => {
    const [version, nonce, tag = '', text] = box.seal('secret', 'here').split('.');
    expect(() => box.open([version, nonce, tag.slice(0, 8), text].join('.'), 'here')).toThrow('cannot be opened');
  });

  it('reports a text in an unknown format', () => {
    for (const text of ['', 'plain', 'v0.a.b.c', 'v1.a.b']) {
      expect(() => box.open(text, 'here')).toThrow('an unknown format');
    }
  });
});

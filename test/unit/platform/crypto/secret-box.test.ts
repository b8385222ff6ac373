import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import type { SealedPlace } from '../../../../src/platform/crypto/sealed-places.js';
import { SecretBox } from '../../../../src/platform/crypto/secret-box.js';
import { Secrets } from '../../../../src/config/secrets.js';

/** Any text as a place: only declared columns have one otherwise. */
const at = (place: string) => place as SealedPlace;
const box = new SecretBox(new Secrets('', randomBytes(32)));

describe('SecretBox', () => {
  it('opens what it sealed, whatever the text', () => {
    assert(
      property(string({ unit: 'grapheme' }), string(), (secret, place) => {
        expect(box.open(box.seal(secret, at(place)), at(place))).toBe(secret);
      }),
    );
  });

  it('writes its version first, then a nonce of 12 bytes and a tag of 16, and never the secret', () => {
    const sealed = box.seal('JBSWY3DPEHPK3PXP', at('totp:1'));
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]{22}$/);
    expect(box.sealBytes(Buffer.from('bytes'), at('here'))).toHaveLength(12 + 16 + 5);
    expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  });

  it('seals the same secret differently each time', () => {
    expect(box.seal('secret', at('here'))).not.toBe(box.seal('secret', at('here')));
  });

  it('does not open a secret moved to another place', () => {
    expect(() => box.open(box.seal('secret', at('totp:1')), at('totp:2'))).toThrow('cannot be opened');
  });

  it('does not open with another key', () => {
    const other = new SecretBox(new Secrets('', randomBytes(32)));
    const open = () => other.open(box.seal('secret', at('here')), at('here'));
    expect(open).toThrow('another ENCRYPTION_KEY');
    expect(open).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
  });

  it('does not open a secret changed in any part', () => {
    const parts = box.seal('secret', at('here')).split('.');
    for (const index of [1, 2, 3]) {
      const part = parts[index] ?? '';
      const changed = parts.with(index, (part.startsWith('A') ? 'B' : 'A') + part.slice(1)).join('.');
      expect(() => box.open(changed, at('here'))).toThrow('cannot be opened');
    }
  });

  it('does not open a shortened tag', () => {
    const [version, nonce, tag = '', text] = box.seal('secret', at('here')).split('.');
    expect(() => box.open([version, nonce, tag.slice(0, 8), text].join('.'), at('here'))).toThrow('cannot be opened');
  });

  it('reports a text in an unknown format', () => {
    for (const text of ['', 'plain', 'v0.a.b.c', 'v1.a.b']) {
      expect(() => box.open(text, at('here'))).toThrow('an unknown format');
    }
  });
});

describe('SecretBox with older keys', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const before = new SecretBox(new Secrets('', old));
  const both = new SecretBox(new Secrets('', next, { jwtSecrets: [], encryptionKeys: [randomBytes(32), old] }));
  const after = new SecretBox(new Secrets('', next));

  it('opens what any of them sealed, and seals with the first', () => {
    expect(both.open(before.seal('secret', at('here')), at('here'))).toBe('secret');
    expect(after.open(both.seal('secret', at('here')), at('here'))).toBe('secret');
  });

  it('seals anew what an older one sealed, text and bytes, for the same place', () => {
    const text = both.reseal(before.seal('secret', at('here')), at('here')) ?? '';
    expect(text).toMatch(/^v1\./);
    expect(after.open(text, at('here'))).toBe('secret');
    expect(() => after.open(text, at('there'))).toThrow('cannot be opened');
    const bytes = both.reseal(before.sealBytes(Buffer.from('bytes'), at('here')), at('here'));
    expect(bytes).toBeInstanceOf(Buffer);
    expect(String(after.openBytes(bytes ?? Buffer.alloc(0), at('here')))).toBe('bytes');
  });

  it('leaves what the first one sealed', () => {
    expect(both.reseal(both.seal('secret', at('here')), at('here'))).toBeNull();
  });
});

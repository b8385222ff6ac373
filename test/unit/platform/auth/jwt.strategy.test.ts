import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { JwtService, type JwtSignOptions } from '@nestjs/jwt';
import type { Request } from 'express';
import { Secrets } from '../../../../src/config/secrets.js';
import type { Settings } from '../../../../src/config/settings.js';
import {
  AccessTokens,
  signingKeys,
  tokenAudience,
  tokenIssuer,
  tokenKey,
} from '../../../../src/platform/auth/access-tokens.js';
import type { CallerDirectory, TokenSubject } from '../../../../src/platform/auth/caller.js';
import { JwtStrategy } from '../../../../src/platform/auth/jwt.strategy.js';
import { KnownTokens } from '../../../../src/platform/auth/known-tokens.js';

const id = '8f7a2c1e-0d3b-4c5a-9e6f-1a2b3c4d5e6f';
const [newest, older, oldest, strange] = ['n', 'o', 'p', 's'].map((letter) => letter.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const secrets = new Secrets(newest, Buffer.alloc(32), { jwtSecrets: [older, oldest], encryptionKeys: [] });
const jwt = new JwtService();

interface Verdict {
  found: TokenSubject | null;
  outcome: string;
  kept: object | undefined;
}

/** What the strategy makes of a token; the directory knows every account but those of version 9. */
async function verdictOf(token: string, keys = secrets): Promise<Verdict> {
  let found: TokenSubject | null = null;
  const callers = {
    find: async (subject: TokenSubject) => {
      found = subject;
      if (subject.tokenVersion === 8) throw new Error('the database is away');
      return subject.tokenVersion === 9 ? null : { id: subject.userId };
    },
  } as unknown as CallerDirectory;
  const known = new KnownTokens();
  const strategy = new JwtStrategy(keys, callers, known);
  const authorization = `Bearer ${token}`;
  const outcome = await new Promise<string>((resolve) => {
    Object.assign(strategy, {
      success: () => resolve('success'),
      fail: (info: { message?: string } | undefined) => resolve(info?.message ?? 'revoked'),
      error: ({ message }: Error) => resolve(message),
    });
    strategy.authenticate({ headers: { authorization } } as Request);
  });
  return { found, outcome, kept: known.find(authorization) };
}

const usual = { issuer: tokenIssuer, audience: tokenAudience, algorithm: 'HS256', expiresIn: 60 } as const;
const signed = (claims: object, options: JwtSignOptions = {}, secret = newest) =>
  jwt.sign(claims, { secret, ...usual, ...options });

/** A token as no library would make it. */
function byHand(claims: object): string {
  const [header, body] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${header}.${body}.${createHmac('sha256', newest).update(`${header}.${body}`).digest('base64url')}`;
}

describe('JwtStrategy', () => {
  it('finds the account of a token, and remembers that it was verified', async () => {
    const { found, outcome, kept } = await verdictOf(signed({ sub: id, ver: 3 }));
    expect([outcome, found]).toEqual(['success', { userId: id, tokenVersion: 3, expiresAt: expect.any(Number) }]);
    expect(kept).toEqual(found);
  });

  it('reads the session, the time of the login and its factors', async () => {
    const claims = { sub: id, ver: 3, sid: 'session', auth_time: 17, amr: ['pwd', 'mfa'] };
    expect((await verdictOf(signed(claims))).found).toMatchObject({
      sessionId: 'session',
      authenticatedAt: 17,
      isMultiFactor: true,
    });
    const { found } = await verdictOf(signed({ ...claims, amr: ['pwd'], auth_time: '17' }));
    expect(found).toEqual({ userId: id, tokenVersion: 3, expiresAt: expect.any(Number), sessionId: 'session' });
    expect((await verdictOf(signed({ ...claims, amr: 'mfa' }))).found).not.toHaveProperty('isMultiFactor');
  });

  it.each([
    ['no account', { ver: 3 }],
    ['an account that is no number of ours', { sub: 'admin', ver: 3 }],
    ['a number for an account', { sub: 7, ver: 3 }],
    ['no version', { sub: id }],
    ['a version that is no whole number', { sub: id, ver: 3.5 }],
    ['a session that is no text', { sub: id, ver: 3, sid: 7 }],
  ])('takes no token with %s', async (_, claims) => {
    const token = byHand({ ...claims, iss: tokenIssuer, aud: tokenAudience, exp: 4_000_000_000 });
    expect(await verdictOf(token)).toEqual({ found: null, outcome: 'revoked', kept: undefined });
  });

  it.each<[string, () => string, string]>([
    ['of another key', () => signed({ sub: id, ver: 3 }, {}, strange), 'invalid signature'],
    ['of another algorithm', () => signed({ sub: id, ver: 3 }, { algorithm: 'HS512' }), 'invalid algorithm'],
    ['of another issuer', () => signed({ sub: id, ver: 3 }, { issuer: 'other' }), 'jwt issuer invalid'],
    ['for another audience', () => signed({ sub: id, ver: 3 }, { audience: 'other' }), 'jwt audience invalid'],
    ['that is over', () => signed({ sub: id, ver: 3 }, { expiresIn: -1 }), 'jwt expired'],
  ])('takes no token %s', async (_, token, expected) => {
    const { found, outcome } = await verdictOf(token());
    expect([found, outcome]).toEqual([null, expect.stringContaining(expected)]);
  });

  it('takes no token that never ends', async () => {
    const token = jwt.sign({ sub: id, ver: 3 }, { secret: newest, issuer: tokenIssuer, audience: tokenAudience });
    expect(await verdictOf(token)).toMatchObject({ found: null, outcome: 'revoked' });
  });

  it('refuses one whose account ended it, and tells of a fault', async () => {
    expect((await verdictOf(signed({ sub: id, ver: 9 }))).outcome).toBe('revoked');
    expect((await verdictOf(signed({ sub: id, ver: 8 }))).outcome).toBe('the database is away');
  });

  it('takes tokens that older keys signed', async () => {
    for (const secret of [newest, older, oldest]) {
      expect((await verdictOf(signed({ sub: id, ver: 3 }, {}, secret))).outcome).toBe('success');
    }
  });
});

describe('signingKeys', () => {
  const textOf = (key: { export(): Buffer }) => key.export().toString();

  it('is the key that signed, or else the newest', () => {
    const keyOf = signingKeys(secrets);
    for (const secret of [newest, older, oldest]) expect(textOf(keyOf(signed({}, {}, secret)))).toBe(secret);
    for (const token of [signed({}, {}, strange), '', 'a', '.', 'a.b']) expect(textOf(keyOf(token))).toBe(newest);
  });

  it('is the only one where there is one', () => {
    const keyOf = signingKeys(new Secrets(newest, Buffer.alloc(32)));
    expect(textOf(keyOf(signed({}, {}, older)))).toBe(newest);
  });
});

describe('AccessTokens', () => {
  const tokens = new AccessTokens(
    new JwtService({ secret: tokenKey(secrets) as unknown as Buffer, signOptions: usual }),
    { accessTokenTtlSeconds: 60 } as Settings,
  );

  it('says who, of which session, since when and by how many factors', async () => {
    const token = await tokens.issue(id, 4, { sessionId: 'session', authenticatedAt: 17.9, isMultiFactor: true });
    expect(jwt.decode(token)).toMatchObject({ sub: id, ver: 4, sid: 'session', auth_time: 17, amr: ['mfa'] });
    expect((await verdictOf(token)).outcome).toBe('success');
    expect(tokens.seconds).toBe(60);
  });

  it('says nothing of a login that there was not', async () => {
    const claims = jwt.decode<object>(await tokens.issue(id, 4));
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sub', 'ver']);
    expect(Object.keys(jwt.decode<object>(await tokens.issue(id, 4, { isMultiFactor: false })))).not.toContain('amr');
  });
});

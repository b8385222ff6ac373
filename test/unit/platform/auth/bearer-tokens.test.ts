import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { bearerTokenOf, hasBearerToken, tokenRefusal } from '../../../../src/platform/auth/bearer-tokens.js';

const sent = (authorization?: string) => ({ headers: { authorization } }) as unknown as IncomingMessage;

describe('bearerTokenOf', () => {
  it.each([
    ['Bearer a.b-c_~+/=', 'a.b-c_~+/='],
    ['bearer   abc  ', 'abc'],
    ['Bearer abc def', null],
    ['Bearer', null],
    ['Bearer ä', null],
    ['Basic abc', null],
    ['x Bearer abc', null],
    [`Bearer ${'a'.repeat(4_089)}`, 'a'.repeat(4_089)],
    [`Bearer ${'a'.repeat(4_090)}`, null],
  ])('reads %j', (header, token) => {
    expect(bearerTokenOf(sent(header))).toBe(token);
  });

  it('finds none where nothing was sent', () => {
    expect(bearerTokenOf(sent())).toBeNull();
  });
});

describe('hasBearerToken', () => {
  it.each([
    ['Bearer abc', true],
    ['BEARER', true],
    ['Bearer', true],
    ['Bearers abc', false],
    ['Basic abc', false],
    ['My Bearer abc', false],
  ])('says of %j: %s', (header, has) => {
    expect(hasBearerToken(sent(header))).toBe(has);
  });
});

describe('tokenRefusal', () => {
  const challenge = { error: 'invalid_token' };

  it('tells what is wrong with a token', () => {
    expect(tokenRefusal(sent('Bearer abc'), { name: 'TokenExpiredError' })).toMatchObject({
      code: 'token_expired',
      challenge,
    });
    expect(tokenRefusal(sent('Bearer abc'), { name: 'JsonWebTokenError' })).toMatchObject({
      code: 'token_invalid',
      challenge,
    });
    expect(tokenRefusal(sent('Bearer abc'), undefined)).toMatchObject({ code: 'token_revoked', challenge });
  });

  it('asks for one where none was sent', () => {
    const { code, challenge: asked } = tokenRefusal(sent(), undefined);
    expect([code, asked]).toEqual(['unauthenticated', {}]);
  });
});

import 'reflect-metadata';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import passport from 'passport';
import type { Settings } from '../../../../src/config/settings.js';
import { accessKey, type AccessLevel } from '../../../../src/platform/auth/access.js';
import { AccessGuard } from '../../../../src/platform/auth/access.guard.js';
import type { CallerDirectory, CallerIdentity } from '../../../../src/platform/auth/caller.js';
import type { JwtStrategy } from '../../../../src/platform/auth/jwt.strategy.js';
import type { KnownTokens } from '../../../../src/platform/auth/known-tokens.js';
import type { KeyRole, OrganizationDirectory } from '../../../../src/platform/auth/organization-caller.js';
import { recentLoginKey, RecentLogins } from '../../../../src/platform/auth/recent-login.js';
import { type KeyScope, scopeKey } from '../../../../src/platform/auth/scopes.js';
import type { ShopKeyDirectory } from '../../../../src/platform/auth/shop-key-caller.js';

const organization = '0f7a2c1e-0d3b-4c5a-9e6f-1a2b3c4d5e6f';
const settings = { accessPolicy: 'contract', reauthenticateAfterSeconds: 60 } as Settings;
const now = () => Date.now() / 1_000;

const users: Record<string, CallerIdentity> = {
  'Bearer user': { id: 'u', username: 'user', role: 'user', authenticatedAt: 1 },
  'Bearer admin': { id: 'a', username: 'admin', role: 'admin' },
  'Bearer unproven': { id: 'p', username: 'unproven', role: 'user', awaitsTotp: true },
  'Bearer fresh': { id: 'f', username: 'fresh', role: 'user', authenticatedAt: now() },
};

/** Verifies what is not yet known, as the strategy does. */
class Verifies {
  name = 'jwt';
  asked = 0;
  declare success: (user: object) => void;
  declare fail: (info: unknown) => void;
  declare error: (error: Error) => void;

  authenticate({ headers }: Request): void {
    verified += 1;
    if (headers.authorization === 'Bearer verified') this.success(users['Bearer user']!);
    else if (headers.authorization === 'Bearer broken') this.error(new Error('the database is away'));
    else this.fail(Object.assign(new Error('jwt expired'), { name: 'TokenExpiredError' }));
  }
}

let verified = 0;
const guards: AccessGuard[] = [];
const roles: Record<string, KeyRole> = {
  viewing: 'viewer',
  importing: 'importer',
  changing: 'member',
  ruling: 'admin',
};
const scopes: Record<string, KeyScope[]> = { sk_reads: ['orders:read', 'stats:read'], sk_writes: ['orders:write'] };

function guardOf(policy: 'contract' | 'hardened' = 'contract'): AccessGuard {
  const own = { ...settings, accessPolicy: policy } as Settings;
  const member = (role: KeyRole, userId: string | null) => ({
    organizationId: organization,
    role,
    userId,
    apiKeyId: userId === null ? 'key' : null,
    name: 'name',
  });
  const guard = new AccessGuard(
    new Verifies() as unknown as JwtStrategy,
    new Reflector(),
    own,
    {
      forKey: async (key: string) => (roles[key] ? member(roles[key], null) : null),
      forUser: async ({ id }: CallerIdentity) => member('member', id),
    } as unknown as OrganizationDirectory,
    { find: async ({ userId }: { userId: string }) => users[userId] ?? null } as unknown as CallerDirectory,
    {
      find: (header: string) => (header in users || header === 'Bearer gone' ? { userId: header } : undefined),
    } as unknown as KnownTokens,
    new RecentLogins(own),
    {
      find: async (key: string) => (scopes[key] ? { id: key, scopes: scopes[key] } : null),
    } as unknown as ShopKeyDirectory,
  );
  guards.push(guard);
  return guard;
}

interface Asked {
  level?: AccessLevel | [contract: AccessLevel, hardened: AccessLevel];
  scope?: KeyScope | 'person';
  recent?: object;
  policy?: 'contract' | 'hardened';
  params?: Record<string, string>;
}

/** What the guard makes of a request with these headers; the request, or the code of the refusal. */
async function ask(headers: Record<string, string>, { level, scope, recent, policy, params = {} }: Asked) {
  const handler = () => undefined;
  const mark = Array.isArray(level) ? { contract: level[0], hardened: level[1] } : { contract: level, hardened: level };
  if (level) Reflect.defineMetadata(accessKey, mark, handler);
  if (scope) Reflect.defineMetadata(scopeKey, scope, handler);
  if (recent) Reflect.defineMetadata(recentLoginKey, recent, handler);
  const request = { headers, params } as unknown as Request & Record<string, unknown>;
  const told: Record<string, string> = {};
  const response = { setHeader: (name: string, value: string) => void (told[name] = value) };
  const context = {
    getHandler: () => handler,
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
  } as unknown as ExecutionContext;
  try {
    expect(await guardOf(policy).canActivate(context)).toBe(true);
    return { user: (request.user as CallerIdentity | undefined)?.username, request, told };
  } catch (error) {
    const { code, message, challenge } = error as Error & { code?: string; challenge?: object };
    return { code: code ?? message, message, challenge };
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

beforeEach(() => {
  verified = 0;
});
afterAll(() => guards.forEach((guard) => guard.onModuleDestroy()));

describe('AccessGuard', () => {
  it('lets nobody but admins to a route without a mark', async () => {
    expect(await ask({}, {})).toMatchObject({ code: 'unauthenticated' });
    expect(await ask(bearer('user'), {})).toMatchObject({ code: 'admin_only' });
    expect(await ask(bearer('admin'), {})).toMatchObject({ user: 'admin' });
  });

  it('looks at no token on a public route', async () => {
    expect(await ask(bearer('bad'), { level: 'public' })).toMatchObject({ user: undefined, told: {} });
    expect(verified).toBe(0);
  });

  it('goes by the mark of the policy', async () => {
    const level: Asked['level'] = ['optional', 'admin'];
    expect(await ask({}, { level })).toMatchObject({ user: undefined });
    expect(await ask({}, { level, policy: 'hardened' })).toMatchObject({ code: 'unauthenticated' });
  });

  it('knows a token that was verified before, and verifies others', async () => {
    expect(await ask(bearer('user'), { level: 'bearer' })).toMatchObject({ user: 'user' });
    expect(verified).toBe(0);
    expect(await ask(bearer('verified'), { level: 'bearer' })).toMatchObject({ user: 'user' });
    expect(await ask(bearer('gone'), { level: 'bearer' })).toMatchObject({ code: 'token_expired' });
    expect(verified).toBe(2);
    expect(await ask(bearer('broken'), { level: 'bearer' })).toMatchObject({ message: 'the database is away' });
  });

  it('leaves passport no strategy of an application that ended', () => {
    const [use, unuse] = [jest.spyOn(passport, 'use'), jest.spyOn(passport, 'unuse')];
    const guard = guardOf();
    guards.pop();
    guard.onModuleDestroy();
    expect(unuse.mock.calls).toEqual([[use.mock.calls[0]?.[0]]]);
    expect(unuse.mock.calls[0]?.[0]).toMatch(/^jwt-/);
  });

  it('tells an admin without two factors why they may not', async () => {
    expect(await ask(bearer('unproven'), { level: 'admin' })).toMatchObject({ code: 'totp_required' });
  });

  it('makes an invalid token none where anybody may call, and says so', async () => {
    expect(await ask(bearer('user'), { level: 'optional' })).toMatchObject({ user: 'user', told: {} });
    const { user, told } = await ask(bearer('bad'), { level: 'optional' });
    expect([user, told]).toEqual([undefined, { 'WWW-Authenticate': expect.stringContaining('invalid_token') }]);
    expect(await ask({}, { level: 'optional' })).toMatchObject({ user: undefined, told: {} });
    expect(verified).toBe(1);
    expect(await ask(bearer('broken'), { level: 'optional' })).toMatchObject({ message: 'the database is away' });
  });

  it('hands the refusal to a route that may do without a token', async () => {
    expect((await ask({}, { level: 'token-optional' })).request).toMatchObject({
      refusal: { code: 'unauthenticated' },
    });
    expect((await ask(bearer('bad'), { level: 'token-optional' })).request).toMatchObject({
      refusal: { code: 'token_expired' },
    });
    const { user, request } = await ask(bearer('user'), { level: 'token-optional' });
    expect([user, request?.['refusal']]).toEqual(['user', undefined]);
  });
});

describe('Keys of the shop', () => {
  const of = (key: string, asked: Asked) => ask(bearer(key), { level: 'admin', ...asked });

  it('do what their scopes say', async () => {
    expect((await of('sk_reads', { scope: 'orders:read' })).request).toMatchObject({ shopKey: { id: 'sk_reads' } });
    const { code, message } = await of('sk_reads', { scope: 'orders:write' });
    expect(code).toBe('missing_scope');
    expect(message).toBe('This takes a key with the scope orders:write; this key has orders:read, stats:read');
  });

  it('open nothing that takes a person, nor what has no mark', async () => {
    const person = { code: 'missing_scope', message: 'A key cannot do this: it takes a person, who signs in' };
    expect(await of('sk_reads', { scope: 'person' })).toMatchObject(person);
    expect(await of('sk_reads', {})).toMatchObject(person);
    expect(await of('sk_reads', { level: 'bearer' })).toMatchObject(person);
  });

  it('are refused where nobody knows them', async () => {
    expect(await of('sk_none', { scope: 'orders:read' })).toMatchObject({
      code: 'invalid_api_key',
      challenge: { error: 'invalid_token' },
    });
  });
});

describe('Keys of organizations', () => {
  const order: KeyRole[] = ['viewer', 'importer', 'member', 'admin'];

  it('open what their role includes', async () => {
    for (const [key, role] of Object.entries(roles)) {
      for (const needed of order) {
        const { request, code } = await ask({ 'x-api-key': key }, { level: `organization-${needed}` });
        if (order.indexOf(role) >= order.indexOf(needed))
          expect(request).toMatchObject({ member: { role, userId: null } });
        else expect([role, needed, code]).toEqual([role, needed, 'role_too_low']);
      }
    }
  });

  it('are taken from either header', async () => {
    const level = 'organization-viewer';
    expect((await ask({ authorization: 'Key ruling' }, { level })).request).toMatchObject({
      member: { role: 'admin' },
    });
    expect(await ask({ authorization: 'Key none' }, { level })).toMatchObject({ code: 'invalid_api_key' });
    expect(await ask({ authorization: 'No Key ruling' }, { level })).toHaveProperty('code');
  });

  it('open no other organization', async () => {
    const level = 'organization-viewer';
    const named = (params: Record<string, string>, headers = {}) =>
      ask({ 'x-api-key': 'ruling', ...headers }, { level, params });
    expect((await named({ organizationId: organization.toUpperCase() })).request).toHaveProperty('member');
    expect(await named({ organizationId: 'another' })).toMatchObject({ code: 'not_found' });
    expect(await named({}, { 'x-organization-id': 'another' })).toMatchObject({ code: 'not_found' });
    expect((await named({ organizationId: organization }, { 'x-organization-id': 'another' })).request).toHaveProperty(
      'member',
    );
  });

  it('stand beside tokens where either may call, and for nobody elsewhere', async () => {
    expect((await ask({ 'x-api-key': 'viewing' }, { level: 'bearer-or-key' })).request).toHaveProperty('member');
    expect(await ask({ 'x-api-key': 'none' }, { level: 'bearer-or-key' })).toMatchObject({ code: 'invalid_api_key' });
    expect(await ask(bearer('user'), { level: 'bearer-or-key' })).toMatchObject({ user: 'user' });
    expect(await ask({ 'x-api-key': 'ruling' }, { level: 'bearer' })).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('Members', () => {
  it('have the role of their membership', async () => {
    const { request } = await ask(bearer('user'), { level: 'organization-member' });
    expect(request).toMatchObject({ member: { role: 'member', userId: 'u' } });
    expect(await ask(bearer('user'), { level: 'organization-admin' })).toMatchObject({ code: 'role_too_low' });
    expect(await ask({}, { level: 'organization-viewer' })).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('A recent login', () => {
  const recent = { policies: ['hardened'], checkedBy: 'guard' };
  const asked = (by: string, more: Asked) => ask(bearer(by), { level: 'bearer', recent, ...more });

  it('is asked under the policies of the mark', async () => {
    expect(await asked('user', { policy: 'hardened' })).toMatchObject({ code: 'reauthentication_required' });
    expect(await asked('fresh', { policy: 'hardened' })).toMatchObject({ user: 'fresh' });
    expect(await asked('user', {})).toMatchObject({ user: 'user' });
  });

  it('is not asked where the service checks it, nor of keys', async () => {
    const byService = { policies: ['contract'], checkedBy: 'service' };
    expect(await asked('user', { recent: byService })).toMatchObject({ user: 'user' });
    const ofKeys = { level: 'organization-viewer', recent: { ...recent, policies: ['contract'] } } as const;
    expect((await ask({ 'x-api-key': 'viewing' }, ofKeys)).request).toHaveProperty('member');
  });
});

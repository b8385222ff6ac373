import { describe, expect, it } from '@jest/globals';
import { provenUser } from '../../../../src/store/oidc/proven-user.js';

const own = { iss: 'https://login.example.com', sub: 'one' };
const by = (groupsClaim: string) => ({ groupsClaim, multiFactorAcrs: ['gold', '2'] });

describe('provenUser', () => {
  it('finds groups by the name of the claim, or by its path, in a list or alone', () => {
    const roles = { ...own, realm_access: { roles: ['a', 1, 'b'] }, 'with.point': 'c' };
    expect(provenUser(roles, by('realm_access.roles')).groups).toEqual(['a', 'b']);
    expect(provenUser(roles, by('with.point')).groups).toEqual(['c']);
    for (const name of ['missing', 'realm_access', 'realm_access.roles.length', '__proto__', 'constructor.name']) {
      expect(provenUser(roles, by(name)).groups).toEqual([]);
    }
  });

  it('takes no text for an e-mail address that is none', () => {
    const emailOf = (email: string) => provenUser({ ...own, email }, by('groups')).email;
    expect(['a@b.example', 'nobody', 'a@b@c'].map(emailOf)).toEqual(['a@b.example', null, null]);
  });

  it('takes an address as confirmed only where the provider says exactly so', () => {
    const verified = (email_verified: unknown) => provenUser({ ...own, email_verified }, by('groups')).emailVerified;
    expect([true, 'true', 1, undefined].map(verified)).toEqual([true, false, false, false]);
  });

  it('takes a sign-in for one by two factors where amr or acr of the ID token says so, and nothing else does', () => {
    const isProven = (claims: object) => provenUser({ ...own, ...claims }, by('groups')).isMultiFactor;
    expect([{ amr: ['pwd', 'mfa'] }, { acr: 'gold' }, { acr: '2', amr: [] }].map(isProven)).toEqual([true, true, true]);
    const others = [{}, { amr: 'mfa' }, { amr: ['pwd', 'otp'] }, { amr: { mfa: true } }, { acr: 'Gold' }, { acr: 2 }];
    expect(others.map(isProven)).toEqual(others.map(() => false));
    expect(provenUser(own, by('groups'), { amr: ['mfa'], acr: 'gold' }).isMultiFactor).toBe(false);
  });

  it('leaves out what does not fit', () => {
    const claims = {
      ...own,
      email: 'x'.repeat(255),
      given_name: 7,
      preferred_username: ' \0 ',
      auth_time: NaN,
      sid: {},
    };
    expect(provenUser(claims, by('groups'))).toMatchObject({
      email: null,
      firstName: null,
      username: null,
      authenticatedAt: null,
      sid: null,
    });
  });
});

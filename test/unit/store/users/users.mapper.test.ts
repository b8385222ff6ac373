import { describe, expect, it } from '@jest/globals';
import { isEmail } from 'class-validator';
import { toStrangersView } from '../../../../src/store/users/users.mapper.js';
import type { User } from '../../../../src/store/users/users.dto.js';

const maria = {
  id: '5b2c7c52-5d0e-4a53-9f4b-6f1d3b0e7a11',
  username: 'maria',
  email: 'maria@example.com',
  created_at: new Date(),
  role: 'user' as const,
  first_name: 'Maria',
  last_name: null,
  avatar_url: null,
  bio: null,
  account_credit: 12.5,
  referral_count: 3,
  totp_enabled: true,
  can_be_deleted: true,
  email_verified: true,
  role_source: 'default',
  suspended: false,
} satisfies User;

describe('toStrangersView', () => {
  it('masks the e-mail, and leaves out the credit and what tells how well an account is guarded, and nothing else', () => {
    const left = new Set([
      'account_credit',
      'email_verified',
      'suspended',
      'totp_enabled',
      'can_be_deleted',
      'role_source',
    ]);
    const rest = Object.fromEntries(Object.entries(maria).filter(([name]) => !left.has(name)));
    expect({ ...toStrangersView(maria) }).toStrictEqual({ ...rest, email: 'm***@example.com' });
  });

  it.each(['m@example.com', '_a.b@example.co.uk', 'jörg@example.com', 'ö@example.com', '+x@mail.example.com'])(
    'masks %s into a valid address',
    (email) => {
      const masked = toStrangersView({ ...maria, email }).email;
      expect(isEmail(masked)).toBe(true);
      expect(masked).not.toBe(email);
      expect(masked.slice(masked.indexOf('@'))).toBe(email.slice(email.indexOf('@')));
    },
  );
});

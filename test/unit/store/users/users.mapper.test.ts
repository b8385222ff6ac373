import { describe, expect, it } from '@jest/globals';
import { isEmail } from 'class-validator';
import { toStrangersView } from '../../../../src/store/users/users.mapper.js';
import type { User } from '../../../../src/store/users/users.shapes.js';

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
  suspended: false,
} satisfies User;

describe('toStrangersView', () => {
  it('leaves out the credit, whether the e-mail is confirmed and the account suspended, masks the e-mail, and nothing else', () => {
    const { account_credit: _left, email_verified: _too, suspended: _own, ...rest } = maria;
    expect(toStrangersView(maria)).toEqual({ ...rest, email: 'm***@example.com' });
    expect(toStrangersView(maria)).not.toHaveProperty('account_credit');
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

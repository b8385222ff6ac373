import { inertText } from '../../platform/mail/header-text.js';
import type { MailKind, MailValues } from '../../platform/mail/mail-kinds.js';

/** The kinds of mails that say when and from where. */
export type SecurityMailKind = {
  [Kind in MailKind]: MailValues<Kind> extends { details: unknown } ? Kind : never;
}[MailKind];

/** What a mail about the security of an account says. */
export interface SecurityNotice<Kind extends SecurityMailKind = SecurityMailKind> {
  kind: Kind;
  values: Omit<MailValues<Kind>, 'details'>;
  subject: string;
  text: string;
  /** What to do if it was somebody else. */
  remedy: string;
}

const maxName = 80;
const shop = 'the shop';
const newPassword = 'change your password, which signs out everywhere else, and look at your sessions';

/** The mails about what authenticates: each change of a factor or key is told. */
export const notices = {
  twoFactorOn: (): SecurityNotice<'two-factor-on'> => ({
    kind: 'two-factor-on',
    values: {},
    subject: 'Two-factor login was turned on for your account',
    text: 'From now on, a login to your account asks for a code from your authenticator app or a recovery code.',
    remedy: `${newPassword}. If you cannot sign in, write to the shop: an admin can turn it off`,
  }),
  twoFactorOff: (): SecurityNotice<'two-factor-off'> => ({
    kind: 'two-factor-off',
    values: {},
    subject: 'Two-factor login was turned off for your account',
    text: 'From now on, a login to your account asks only for the password.',
    remedy: `${newPassword}; then set it up again`,
  }),
  twoFactorReset: (): SecurityNotice<'totp-reset'> => ({
    kind: 'totp-reset',
    values: {},
    subject: 'Two-factor login was turned off for your account',
    text:
      'An admin of the shop has turned two-factor login off for your account. The next login asks for the ' +
      'password only, and the codes of your app and your recovery codes no longer work. If you asked for that, set ' +
      'it up anew then.',
    remedy: 'change your password and tell the shop',
  }),
  recoveryCodesRenewed: (): SecurityNotice<'recovery-codes-renewed'> => ({
    kind: 'recovery-codes-renewed',
    values: {},
    subject: 'Your recovery codes were replaced',
    text: 'Your account has new recovery codes, and the earlier ones no longer work.',
    remedy: `${newPassword}; then get new codes again`,
  }),
  passwordChanged: (): SecurityNotice<'password-changed'> => ({
    kind: 'password-changed',
    values: {},
    subject: 'Your password was changed',
    text: 'Your account has a new password, and all other devices were signed out.',
    remedy: 'ask for a link to set another one where you sign in',
  }),
  providerLinked: (issuer: string): SecurityNotice<'provider-linked'> => ({
    kind: 'provider-linked',
    values: { provider: inertText(issuer, maxName) },
    subject: 'Your account was linked with a sign-in provider',
    text: `From now on, a user of ${inertText(issuer, maxName)} can sign in to your account without its password.`,
    remedy: `remove the link on the page of your account, and ${newPassword}`,
  }),
  providerUnlinked: (issuer: string): SecurityNotice<'provider-unlinked'> => ({
    kind: 'provider-unlinked',
    values: { provider: inertText(issuer, maxName) },
    subject: 'The link of your account with a sign-in provider was removed',
    text: `Nobody signs in to your account by way of ${inertText(issuer, maxName)} any more.`,
    remedy: newPassword,
  }),
  roleChanged: (role: string): SecurityNotice<'role-changed'> => ({
    kind: 'role-changed',
    values: { role },
    subject: 'The role of your account was changed',
    text: `Your account has the role ${role} now, and all devices were signed out.`,
    remedy: 'change your password and tell the shop',
  }),
  keyMade: (key: string, organization: string): SecurityNotice<'api-key-made'> => ({
    kind: 'api-key-made',
    values: { key: inertText(key, maxName), owner: inertText(organization, maxName) },
    subject: 'An API key was made in your name',
    text:
      `The API key ${quoted(key)} of the organization ${quoted(organization)} was made by you or by another ` +
      `key of yours.`,
    remedy: `revoke the key, since a new password does not end it; then ${newPassword}`,
  }),
  keysRevoked: (keys: string[], organization: string): SecurityNotice<'api-key-revoked'> => ({
    kind: 'api-key-revoked',
    values: { keys: namesOf(keys), owner: inertText(organization, maxName) },
    subject: keys.length === 1 ? 'An API key of yours was revoked' : `${keys.length} API keys of yours were revoked`,
    text:
      `Revoked in the organization ${quoted(organization)}: ${namesOf(keys)}. Programs that used it are ` +
      `refused now.`,
    remedy: `${newPassword}, and ask the admins of the organization`,
  }),
  shopKeyMade: (key: string): SecurityNotice<'api-key-made'> => ({
    kind: 'api-key-made',
    values: { key: inertText(key, maxName), owner: shop },
    subject: 'A key of the shop was made in your name',
    text: `You, or somebody who is signed in as you, made the key ${quoted(key)}, by which a program administers the shop.`,
    remedy: `revoke the key, since a new password does not end it; then ${newPassword}`,
  }),
  shopKeyRevoked: (key: string): SecurityNotice<'api-key-revoked'> => ({
    kind: 'api-key-revoked',
    values: { keys: inertText(key, maxName), owner: shop },
    subject: 'A key of the shop that you made was revoked',
    text: `The key ${quoted(key)} was revoked. Programs that used it are refused now.`,
    remedy: `${newPassword}, and ask the other admins of the shop`,
  }),
  guessed: (secret: 'code' | 'password'): SecurityNotice<'guesses'> => ({
    kind: 'guesses',
    values: { secret },
    subject:
      secret === 'code'
        ? 'Somebody with your password is guessing your codes'
        : 'Somebody in your account is guessing the password',
    text:
      secret === 'code'
        ? 'Somebody who knows your password has sent many wrong codes, so your account accepts no more codes for ' +
          'a while.'
        : 'Somebody who is signed in to your account has sent many wrong passwords, so it accepts no more for a while.',
    remedy:
      'ask for a link to set a new password where you sign in: that ends what they have, and lets you sign in at once',
  }),
};

const keysNamed = 10;

function quoted(name: string): string {
  return `“${inertText(name, maxName)}”`;
}

function namesOf(keys: string[]): string {
  const named = keys.slice(0, keysNamed).map(quoted).join(', ');
  return keys.length > keysNamed ? `${named} and ${keys.length - keysNamed} more` : named;
}

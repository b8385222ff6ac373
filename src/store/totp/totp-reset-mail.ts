import { inertText } from '../../mail/header-text.js';
import type { Mail } from '../../mail/mail.js';

/** Tells the owner of an account that an admin has ended its two-factor login. */
export function totpResetMail({ id, username, email }: { id: string; username: string; email: string }): Mail {
  return {
    kind: 'totp-reset',
    account: id,
    to: { address: email, name: username },
    subject: 'Two-factor login was turned off for your account',
    blocks: [
      {
        text:
          `An admin of the shop has turned two-factor login off for your account, ${inertText(username, 50)}. The next login ` +
          'asks for the password alone, and the codes of your app and your recovery codes no longer serve.',
      },
      {
        text:
          'If you asked for that, set it up anew after the next login. If you did not, change your password and tell ' +
          'the shop.',
      },
    ],
  };
}

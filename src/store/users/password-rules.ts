import { isCommonPassword } from '../../platform/crypto/common-passwords.js';
import { Invalid } from '../../platform/errors/invalid.js';

/** The account that a password is chosen for. */
interface Chooser {
  username: string;
  email: string;
}

/** The sentence against a password that others would try first; null for any other. */
export async function passwordFault(password: string, { username, email }: Chooser): Promise<string | null> {
  const own = [username, email, email.slice(0, email.lastIndexOf('@'))].map((name) => name.toLowerCase());
  if (own.includes(password.toLowerCase())) {
    return 'The password is the username or the e-mail address of the account: choose another one';
  }
  if (await isCommonPassword(password)) {
    return 'This is one of the commonest passwords, which are tried first: choose another one, such as three words together';
  }
  return null;
}

/** Throws `Invalid` for a password in this field of the body that others would try first. */
export async function assertGoodPassword(field: string, password: string, chooser: Chooser): Promise<void> {
  const fault = await passwordFault(password, chooser);
  if (fault !== null) throw Invalid.at(['body', field], 'value_error', fault);
}

import { masked } from '../platform/crypto/secret-mask.js';
import { isSecretName, looksSecret } from './secret-detection.js';

const address = /^[a-z][a-z\d+.-]{0,30}:\/\//i;
const userInfo = /:\/\/[^\s/?#@]{1,256}@/g;
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;

/** Whether the query of an address has a parameter with the name of a secret. */
function hasSecretQuery(text: string): boolean {
  const query = address.test(text) ? text.slice(text.indexOf('?') + 1, 8_192) : '';
  return text.includes('?') && query.split('&').some((pair) => isSecretName(pair.split('=', 1)[0] ?? ''));
}

/** A text without private keys, the user information of addresses, and queries with secrets. */
export function withoutCredentials(text: string): string {
  if (privateKey.test(text)) return masked(text);
  const shown = text.replace(userInfo, `://${masked('')}@`);
  return hasSecretQuery(shown) ? shown.slice(0, shown.indexOf('?')) : shown;
}

/** A line for people, in which everything that looks like a secret is masked, word by word. */
export function withoutSecrets(line: string): string {
  const pieces = line.split(/(\s+)/).map((word) => withoutCredentials(word));
  return pieces
    .flatMap((word) => word.split(/(\/)/))
    .map((piece) => (looksSecret(piece) ? masked(piece) : piece))
    .join('');
}

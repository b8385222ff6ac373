/**
 * What `format: email` of JSON Schema takes, as ajv reads it (RFC 5322 without quotes and comments, ASCII alone), with
 * the lengths of RFC 5321. Written as a POSIX regular expression too, so that PostgreSQL can check the same format.
 */
const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
export const emailPattern = `^${atom}(\\.${atom})*@(${label}\\.)+${label}$`;

const pattern = new RegExp(emailPattern, 'i');
const longest = 254;
const longestLocalPart = 64;

/** Whether a text is an e-mail address by the `format: email` that our responses promise. */
export function isEmailAddress(text: string): boolean {
  return text.length <= longest && text.indexOf('@') <= longestLocalPart && pattern.test(text);
}

import { isEmail as hasPossibleHost } from 'class-validator';
import { isEmailAddress } from '../../config/email-format.js';

/**
 * Whether a text is an e-mail address as `format: email` of JSON Schema has it, since our answers promise that to clients who
 * check them; and at a host that there can be.
 */
export function isEmail(text: string): boolean {
  return isEmailAddress(text) && hasPossibleHost(text);
}

import { Invalid } from '../../common/errors/invalid.js';
import { isMask, masked } from '../secret-mask.js';
import { isSecretName, looksSecret } from './secret-look.js';

/** What an integration is configured with: an object of its kind's own. */
export type Parameters = Record<string, unknown>;
type Loc = (string | number)[];
type Replace = (text: string, path: string) => unknown;

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In `{name: 'Authorization', value: '…'}` it is the name's text that tells what the value is. */
function namesSecret(holder: Parameters, field: string): boolean {
  if (isSecretName(field)) return true;
  return field === 'value' && typeof holder['name'] === 'string' && isSecretName(holder['name']);
}

/** The value with each secret in it, by name or look, replaced by what `replace` makes of it. */
function replaced(value: unknown, secret: boolean, path: string, replace: Replace): unknown {
  if (typeof value === 'string') return value !== '' && (secret || looksSecret(value)) ? replace(value, path) : value;
  if (typeof value === 'number') return secret ? replace(String(value), path) : value;
  if (Array.isArray(value)) return value.map((entry, at) => replaced(entry, secret, `${path}[${at}]`, replace));
  return isObject(value) ? replacedWithin(value, secret, path, replace) : value;
}

function replacedWithin(holder: Parameters, secret: boolean, path: string, replace: Replace): Parameters {
  return Object.fromEntries(
    Object.entries(holder).map(([field, entry]) => [
      field,
      replaced(entry, secret || namesSecret(holder, field), path === '' ? field : `${path}.${field}`, replace),
    ]),
  );
}

/** The parameters as reads show them: secrets, by name or look, masked. */
export function maskParameters(parameters: Parameters): Parameters {
  return replacedWithin(parameters, false, '', masked);
}

/** Where the secrets of the parameters are, such as `apiKey` or `accounts[0].token`. */
export function secretPaths(parameters: Parameters): string[] {
  const paths: string[] = [];
  replacedWithin(parameters, false, '', (_, path) => paths.push(path));
  return paths;
}

function isMaskOf(mask: unknown, value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && masked(String(value)) === mask;
}

/** What is stored in the place of an entry of a list: the one of the same mask or the same name, wherever it stood. */
function counterpart(entry: unknown, at: number, stored: unknown): unknown {
  if (!Array.isArray(stored)) return undefined;
  if (typeof entry === 'string')
    return isMaskOf(entry, stored[at]) ? stored[at] : stored.find((one) => isMaskOf(entry, one));
  if (!isObject(entry) || typeof entry['name'] !== 'string') return stored[at];
  return stored.find((one) => isObject(one) && one['name'] === entry['name']);
}

function restored(given: unknown, stored: unknown, loc: Loc): unknown {
  if (typeof given === 'string') {
    if (!isMask(given)) return given;
    if (isMaskOf(given, stored)) return stored;
    const msg = 'Input should be the secret itself: this is a mask, and none of what is stored here';
    throw Invalid.at(loc, 'value_error', msg, given);
  }
  if (Array.isArray(given)) {
    return given.map((entry, at) => restored(entry, counterpart(entry, at, stored), [...loc, at]));
  }
  return isObject(given) ? restoredWithin(given, stored, loc) : given;
}

function restoredWithin(given: Parameters, stored: unknown, loc: Loc): Parameters {
  const storedFields = new Map(isObject(stored) ? Object.entries(stored) : []);
  return Object.fromEntries(
    Object.entries(given).map(([field, entry]) => [field, restored(entry, storedFields.get(field), [...loc, field])]),
  );
}

/**
 * The parameters as sent, with what is stored wherever its mask was sent back. `Invalid` for a mask of nothing that is
 * stored under that name.
 */
export function restoreMasked(given: Parameters, stored: Parameters): Parameters {
  return restoredWithin(given, stored, ['body', 'parameters']);
}

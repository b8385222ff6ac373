import { Invalid } from '../../platform/errors/invalid.js';
import { looksSecret } from '../secret-detection.js';
import { isMask, masked } from '../../platform/crypto/secret-mask.js';
import { shownUrl } from '../shown-url.js';
import type { IntegrationKind } from '../vocabulary.js';
import { type HarmlessUse, harmlessUse } from './harmless-names.js';

/** The configuration of an integration, an object that its kind determines. */
export type Parameters = Record<string, unknown>;
type Loc = (string | number)[];
type Hidden = (path: string) => void;

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const address = /^[a-z][a-z\d+.-]*:\/\//i;
const brokenLine = /[\r\n]/;
const plainHost = /^(?:[a-z\d][a-z\d.-]{0,252}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
const plainMailbox = /^[a-z\d][\w.+-]{0,63}@[a-z\d][a-z\d.-]{0,252}$/i;

/** A text as reads show it under a name of this use: a URL without its possible secrets, a secret as its mask. */
function shownText(text: string, use: HarmlessUse): string {
  if (use === 'container' || looksSecret(text) || brokenLine.test(text)) return masked(text);
  if (use === 'host') return plainHost.test(text) ? text : masked(text);
  // A password before an @ may contain any character, so that its beginning is unknown.
  if (text.includes('@')) return use === 'mailbox' && plainMailbox.test(text) ? text : masked(text);
  if (address.test(text)) return shownUrl(text);
  const [beforeQuery = ''] = text.split(/[?#]/, 1);
  return beforeQuery === '' ? masked(text) : beforeQuery;
}

/** Masks the parameters of one integration, except those that are harmless by their own names and their parents'. */
class Masking {
  constructor(
    private readonly kind: IntegrationKind,
    private readonly onHidden: Hidden = () => undefined,
  ) {}

  object(holder: Parameters, harmless = true, path = ''): Parameters {
    return Object.fromEntries(
      Object.entries(holder).map(([name, entry]) => [
        name,
        this.value(entry, harmless ? harmlessUse(this.kind, name) : null, path === '' ? name : `${path}.${name}`),
      ]),
    );
  }

  private value(value: unknown, use: HarmlessUse | null, path: string): unknown {
    if (typeof value === 'string') return this.text(value, use, path);
    if (typeof value === 'number') {
      return use === null || use === 'container' ? this.hidden(String(value), path) : value;
    }
    if (Array.isArray(value)) return value.map((entry, at) => this.value(entry, use, `${path}[${at}]`));
    return isObject(value) ? this.object(value, use !== null, path) : value;
  }

  private text(text: string, use: HarmlessUse | null, path: string): string {
    if (text === '') return text;
    if (use === null) return this.hidden(text, path);
    const shown = shownText(text, use);
    if (shown !== text) this.onHidden(path);
    return shown;
  }

  private hidden(text: string, path: string): string {
    this.onHidden(path);
    return masked(text);
  }
}

/** The parameters as reads show them: masked unless known to be harmless in this kind of integration. */
export function maskParameters(kind: IntegrationKind, parameters: Parameters): Parameters {
  return new Masking(kind).object(parameters);
}

/** Like `maskParameters`, for parameters at `path`; calls `onHidden` with the path of each masked value. */
export function maskParametersAt(
  kind: IntegrationKind,
  parameters: Parameters,
  path: string,
  onHidden: Hidden,
): Parameters {
  return new Masking(kind, onHidden).object(parameters, true, path);
}

/** The paths of masked values, such as `apiKey` or `accounts[0].token`. */
export function secretPaths(kind: IntegrationKind, parameters: Parameters): string[] {
  const paths: string[] = [];
  maskParametersAt(kind, parameters, '', (path) => paths.push(path));
  return paths;
}

/** The form in which reads may show a stored text or number, whatever its name. */
function shownForms(stored: unknown): string[] {
  if (typeof stored === 'number') return [masked(String(stored))];
  return typeof stored === 'string' ? [masked(stored), shownText(stored, 'words')] : [];
}

/** By what an entry of a list is told from the others: an object by its name, anything else by itself. */
function labelOf(entry: unknown): unknown {
  return isObject(entry) ? entry['name'] : entry;
}

/** A stored list, indexed by the shown form of its entries. */
class StoredList {
  private readonly byShown = new Map<unknown, Set<unknown>>();

  constructor(private readonly stored: unknown[]) {
    for (const one of stored) {
      const label = labelOf(one);
      for (const form of [label, ...shownForms(label)]) {
        this.byShown.set(form, (this.byShown.get(form) ?? new Set()).add(one));
      }
    }
  }

  /**
   * The stored entry behind a given one: the one at the same place or, wherever it was, the one of the same shown form or
   * name. Undefined where several looked alike. In a shortened list places say nothing.
   */
  counterpart(entry: unknown, at: number, given: unknown[]): unknown {
    const inPlace = given.length >= this.stored.length ? this.stored[at] : undefined;
    const label = labelOf(entry);
    if (typeof label !== 'string') return inPlace;
    const alike = this.byShown.get(label);
    if (alike?.has(inPlace)) return inPlace;
    return alike?.size === 1 ? [...alike][0] : undefined;
  }
}

function restored(given: unknown, stored: unknown, loc: Loc): unknown {
  if (typeof given === 'string') {
    if (shownForms(stored).includes(given)) return stored;
    if (!isMask(given)) return given;
    const msg = 'Input should be the secret itself: this is a mask, and it does not match the stored secret';
    throw Invalid.at(loc, 'value_error', msg, given);
  }
  if (Array.isArray(given)) {
    const list = new StoredList(Array.isArray(stored) ? stored : []);
    return given.map((entry, at) => restored(entry, list.counterpart(entry, at, given), [...loc, at]));
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
 * The parameters as sent, with the stored value wherever the caller sent its mask back. `Invalid` for a mask without a
 * stored value under that name.
 */
export function restoreMasked(given: Parameters, stored: Parameters): Parameters {
  return restoredWithin(given, stored, ['body', 'parameters']);
}

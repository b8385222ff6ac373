import { maskParametersAt } from '../integrations/parameter-masks.js';
import { isSecretName } from '../secret-detection.js';
import { masked } from '../../platform/crypto/secret-mask.js';
import type { IntegrationKind } from '../vocabulary.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';

/** Called with the path of each credential. */
type OnFound = (path: string) => void;
type Fields = Record<string, unknown>;

const address = /^[a-z][a-z\d+.-]{0,30}:\/\//i;
const userInfo = /:\/\/[^\s/?#@]{1,256}@/g;
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const cookies = new Set(['cookie', 'set-cookie']);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCredentialHeader(name: string): boolean {
  return cookies.has(name.toLowerCase()) || (name.length <= 256 && isSecretName(name));
}

/** Whether the query of an address has a parameter with the name of a secret. */
function hasSecretQuery(text: string): boolean {
  const query = address.test(text) ? text.slice(text.indexOf('?') + 1, 8_192) : '';
  return text.includes('?') && query.split('&').some((pair) => isSecretName(pair.split('=', 1)[0] ?? ''));
}

/** Finds the credentials in the elements of a payload, and masks them. */
class CredentialMask {
  constructor(private readonly onFound: OnFound) {}

  value(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.text(value, path);
    if (Array.isArray(value)) return value.map((entry, at) => this.value(entry, `${path}[${at}]`));
    return isFields(value) ? this.fields(value, path) : value;
  }

  fields(holder: Fields, path: string): Fields {
    return Object.fromEntries(
      Object.entries(holder).map(([name, entry]) => {
        const at = `${path}.${name}`;
        return [name, name === 'headers' && isFields(entry) ? this.headers(entry, at) : this.value(entry, at)];
      }),
    );
  }

  /** Of an exchange, by name; a repeated name has a list. */
  private headers(headers: Fields, path: string): Fields {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const at = `${path}.${name}`;
        return [name, isCredentialHeader(name) ? this.secrets(value, at) : this.value(value, at)];
      }),
    );
  }

  private secrets(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((entry, at) => this.secrets(entry, `${path}[${at}]`));
    if (isFields(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, entry]) => [name, this.secrets(entry, `${path}.${name}`)]),
      );
    }
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return value;
    this.onFound(path);
    return masked(String(value));
  }

  private text(text: string, path: string): string {
    const shown = withoutCredentials(text);
    if (shown !== text) this.onFound(path);
    return shown;
  }
}

function withoutCredentials(text: string): string {
  if (privateKey.test(text)) return masked(text);
  const shown = text.replace(userInfo, `://${masked('')}@`);
  return hasSecretQuery(shown) ? shown.slice(0, shown.indexOf('?')) : shown;
}

/**
 * An element of a payload's root with its credentials masked: parameters of integrations as in reads, headers of exchanges
 * by their names, and addresses with user information or a secret in the query anywhere.
 */
export function maskCredentials(root: PayloadRoot, element: Fields, path: string, onFound: OnFound): Fields {
  const mask = new CredentialMask(onFound);
  if (root !== 'integrations' || !isFields(element['parameters'])) return mask.fields(element, path);
  const { parameters, ...rest } = element;
  const kind = element['kind'] as IntegrationKind;
  const own = maskParametersAt(kind, parameters, `${path}.parameters`, onFound);
  return { ...mask.fields(rest, path), parameters: own };
}

import { maskParametersAt } from '../integrations/parameter-masks.js';
import { isSecretName } from '../secret-detection.js';
import { withoutCredentials } from '../secret-free-text.js';
import { masked } from '../../platform/crypto/secret-mask.js';
import type { IntegrationKind } from '../vocabulary.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';

/** Called with the path of each credential. */
type OnFound = (path: string) => void;
type Fields = Record<string, unknown>;

const cookies = new Set(['cookie', 'set-cookie']);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCredentialHeader(name: string): boolean {
  return cookies.has(name.toLowerCase()) || (name.length <= 256 && isSecretName(name));
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

import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { masked } from '../../platform/crypto/secret-mask.js';
import type { SealedParameters } from '../../platform/delivery/signing-secrets.js';
import { shownUrl } from '../shown-url.js';
import type { WebhookParametersUpdate } from './workflow-updates.dto.js';
import type { WebhookParametersRead } from './workflows.dto.js';

/** The reader of parameters: only admins see whole addresses, which carry credentials too. */
export interface ParametersReader {
  isAdmin: boolean;
}

/** The parameters with header values and secret masked, and the address without its query for all but admins. */
export function toMasked(
  { url, headers, secret }: SealedParameters,
  resources: WebhookParametersRead['resources'],
  { isAdmin }: ParametersReader,
): WebhookParametersRead {
  return {
    url: isAdmin ? url : shownUrl(url),
    headers: headers.map(({ name, value }) => ({ name, value: masked(value) })),
    secret: secret === null ? null : masked(secret),
    resources,
  };
}

/** The parameters after an update; the mask of a header or secret stands for the stored value. */
export function withStored(
  url: string,
  { headers, secret }: Omit<WebhookParametersUpdate, 'url'>,
  stored: SealedParameters | null,
  keepsUnsent: boolean,
): SealedParameters {
  const before = keepsUnsent && stored ? stored : { headers: [], secret: null };
  const values = new Map(stored?.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const kept = (sent: string, known: string | null | undefined): string =>
    typeof known === 'string' && sent === masked(known) ? known : sent;
  const restored = headers?.map(({ name, value }) => ({ name, value: kept(value, values.get(name.toLowerCase())) }));
  const next = secret === undefined ? before.secret : secret && kept(secret, stored?.secret);
  // An update, unlike a rotation, replaces a secret at once.
  const previous = next !== null && next === stored?.secret ? stored.previous : undefined;
  return { url, headers: restored ?? before.headers, secret: next, ...(previous ? { previous } : {}) };
}

/** Seals the parameters of actions, each for its own action. */
@Injectable()
export class ActionSecrets {
  constructor(private readonly box: SecretBox) {}

  seal(actionId: string, parameters: SealedParameters): string {
    return this.box.seal(JSON.stringify(parameters), `workflow-action:${actionId}`);
  }

  open(actionId: string, sealed: string): SealedParameters {
    return JSON.parse(this.box.open(sealed, `workflow-action:${actionId}`)) as SealedParameters;
  }
}

import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { masked } from '../secret-mask.js';
import { shownUrl } from '../shown-url.js';
import type { WebhookParametersUpdate } from './workflow-updates.shapes.js';
import type { WebhookHeader, WebhookParametersRead } from './workflows.shapes.js';

/** What of an action's parameters is kept sealed: addresses carry credentials too. */
export interface SealedParameters {
  url: string;
  headers: WebhookHeader[];
  secret: string | null;
  /** The secret before the last rotation, which signs beside the new one until then. */
  previous?: { secret: string; expiresAt: string } | null;
}

/** The secrets that sign at a time, the newest first. */
export function secretsAt({ secret, previous }: SealedParameters, time: Date): string[] {
  if (secret === null) return [];
  return previous && time < new Date(previous.expiresAt) ? [secret, previous.secret] : [secret];
}

/** Until when the secret before the last rotation signs too; null where none does now. */
export function previousExpiresAt(parameters: SealedParameters): Date | null {
  const { previous } = parameters;
  return previous && secretsAt(parameters, new Date()).length > 1 ? new Date(previous.expiresAt) : null;
}

/** Who reads the parameters: admins see addresses whole, for these carry credentials too. */
export interface ParametersReader {
  isAdmin: boolean;
}

/** The parameters with header values and secret masked; of the address, origin and path for all but admins. */
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

/** The parameters as they are to be: a header or secret whose mask was sent back is the stored one. */
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
  // A secret that an update puts in place of another replaces it at once.
  const previous = next !== null && next === stored?.secret ? stored.previous : null;
  return { url, headers: restored ?? before.headers, secret: next, ...(previous ? { previous } : {}) };
}

/** Keeps the parameters of actions sealed, each for its own action. */
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

import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { masked } from '../secret-mask.js';
import type { WebhookHeader, WebhookParameters, WebhookParametersRead } from './workflows.shapes.js';

/** What of an action's parameters is kept sealed: addresses carry credentials too. */
export interface SealedParameters {
  url: string;
  headers: WebhookHeader[];
  secret: string | null;
}

/** The parameters with header values and secret masked. */
export function toMasked(
  { url, headers, secret }: SealedParameters,
  resources: WebhookParametersRead['resources'],
): WebhookParametersRead {
  return {
    url,
    headers: headers.map(({ name, value }) => ({ name, value: masked(value) })),
    secret: secret === null ? null : masked(secret),
    resources,
  };
}

/** The parameters as sent, with what is stored wherever its mask was sent back. */
export function withStored(given: WebhookParameters, stored: SealedParameters | null): SealedParameters {
  const values = new Map(stored?.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const kept = (sent: string, known: string | null | undefined): string =>
    typeof known === 'string' && sent === masked(known) ? known : sent;
  return {
    url: given.url,
    headers: (given.headers ?? []).map(({ name, value }) => ({
      name,
      value: kept(value, values.get(name.toLowerCase())),
    })),
    secret: given.secret ? kept(given.secret, stored?.secret) : null,
  };
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

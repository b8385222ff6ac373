import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { sealedColumn } from '../../platform/crypto/sealed-places.js';
import { masked } from '../../platform/crypto/secret-mask.js';
import type { SealedParameters } from '../../platform/delivery/signing-secrets.js';
import { isChat } from '../notifications/notification-kinds.js';
import { maskTemplate, unmaskTemplate } from '../notifications/template-masks.js';
import { shownSecretUrl, shownUrl } from '../shown-url.js';
import type { ActionKind } from './action-kinds.js';
import type { WebhookParametersUpdate } from './workflow-updates.dto.js';
import type { WebhookParametersRead } from './workflows.dto.js';

/** The sealed parameters of an action; the address of an action that mails is empty. */
export interface ActionParameters extends SealedParameters {
  memberIds?: string[];
  template?: Record<string, unknown>;
  perIssue?: boolean;
}

/** The reader of parameters: only admins see whole addresses, which carry credentials too. */
export interface ParametersReader {
  isAdmin: boolean;
}

/** The address of an action for reads: that of a chat is a secret, and the query of others is one for all but admins. */
export function shownAddress(isSecret: boolean, url: string, { isAdmin }: ParametersReader): string {
  if (isSecret) return shownSecretUrl(url);
  return isAdmin ? url : shownUrl(url);
}

/** The parameters with header values, secret and the secrets of a body masked, and the address as `shownAddress`. */
export function toMasked(
  kind: ActionKind,
  { url, headers, secret, memberIds, template, perIssue }: ActionParameters,
  resources: WebhookParametersRead['resources'],
  reader: ParametersReader,
): WebhookParametersRead {
  return {
    url: kind === 'EMAIL' ? null : shownAddress(isChat(kind), url, reader),
    headers: headers.map(({ name, value }) => ({ name, value: masked(value) })),
    secret: secret === null ? null : masked(secret),
    resources,
    ...(memberIds && { memberIds }),
    ...(template && { template: maskTemplate(template) }),
    ...(kind !== 'WEBHOOK' && kind !== 'EMAIL' && { perIssue: perIssue ?? false }),
  };
}

/** The parameters after an update; the mask of a header or secret stands for the stored value. */
export function withStored(
  url: string,
  { headers, secret, memberIds, template, perIssue }: Omit<WebhookParametersUpdate, 'url'>,
  stored: ActionParameters | null,
  keepsUnsent: boolean,
): ActionParameters {
  const before: ActionParameters = keepsUnsent && stored ? stored : { url, headers: [], secret: null };
  const values = new Map(stored?.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const kept = (sent: string, known: string | null | undefined): string =>
    typeof known === 'string' && sent === masked(known) ? known : sent;
  const restored = headers?.map(({ name, value }) => ({ name, value: kept(value, values.get(name.toLowerCase())) }));
  const next = secret === undefined ? before.secret : secret && kept(secret, stored?.secret);
  // An update, unlike a rotation, replaces a secret at once.
  const previous = next !== null && next === stored?.secret ? stored.previous : undefined;
  const members = memberIds === undefined ? before.memberIds : (memberIds ?? undefined);
  const body = template === undefined ? before.template : (template ?? undefined);
  return {
    url,
    headers: restored ?? before.headers,
    secret: next,
    ...(previous && { previous }),
    ...(members && members.length > 0 && { memberIds: [...new Set(members.map((id) => id.toLowerCase()))] }),
    ...(body && { template: unmaskTemplate(body, stored?.template) as Record<string, unknown> }),
    ...((perIssue ?? before.perIssue) ? { perIssue: true } : {}),
  };
}

const placeOf = sealedColumn({
  table: 'workflow_actions',
  column: 'parameters_sealed',
  key: { id: 'uuid' },
  place: 'workflow-action',
});

/** Seals the parameters of actions, each for its own action. */
@Injectable()
export class ActionSecrets {
  constructor(private readonly box: SecretBox) {}

  seal(actionId: string, parameters: ActionParameters): string {
    return this.box.seal(JSON.stringify(parameters), placeOf(actionId));
  }

  open(actionId: string, sealed: string): ActionParameters {
    return JSON.parse(this.box.open(sealed, placeOf(actionId))) as ActionParameters;
  }
}

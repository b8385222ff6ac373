import { masked } from '../../platform/crypto/secret-mask.js';
import { previousExpiresAt, type SealedParameters } from '../../platform/delivery/signing-secrets.js';
import type { StoreWebhookEntity } from './store-webhook.entity.js';
import type { Webhook } from './webhooks.dto.js';

/** A webhook as it is shown, its secret masked. */
export function toWebhook(
  { id, events, customerData, enabled, disabledReason, createdAt, updatedAt }: StoreWebhookEntity,
  parameters: SealedParameters,
): Webhook {
  return {
    id,
    url: parameters.url,
    events,
    secret: masked(parameters.secret ?? ''),
    previous_secret_expires_at: previousExpiresAt(parameters),
    customer_data: customerData,
    enabled,
    disabled_reason: disabledReason,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

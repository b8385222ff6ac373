import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { sealedColumn } from '../../platform/crypto/sealed-places.js';
import type { SealedParameters } from '../../platform/delivery/signing-secrets.js';

const placeOf = sealedColumn({
  table: 'store_webhooks',
  column: 'parameters_sealed',
  key: { id: 'uuid' },
  place: 'store-webhook',
});

/** Seals the parameters of webhooks, each for its own. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  seal(webhookId: string, parameters: SealedParameters): string {
    return this.box.seal(JSON.stringify(parameters), placeOf(webhookId));
  }

  open(webhookId: string, sealed: string): SealedParameters {
    return JSON.parse(this.box.open(sealed, placeOf(webhookId))) as SealedParameters;
  }
}

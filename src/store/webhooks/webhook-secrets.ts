import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { SealedParameters } from '../../platform/delivery/signing-secrets.js';

/** Seals the parameters of webhooks, each for its own. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  seal(webhookId: string, parameters: SealedParameters): string {
    return this.box.seal(JSON.stringify(parameters), `store-webhook:${webhookId}`);
  }

  open(webhookId: string, sealed: string): SealedParameters {
    return JSON.parse(this.box.open(sealed, `store-webhook:${webhookId}`)) as SealedParameters;
  }
}

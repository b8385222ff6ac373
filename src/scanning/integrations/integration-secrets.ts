import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { sealedColumn } from '../../platform/crypto/sealed-places.js';
import type { Parameters } from './parameter-masks.js';

const placeOf = sealedColumn({
  table: 'integrations',
  column: 'parameters_sealed',
  key: { id: 'uuid' },
  place: 'integration',
});

/** Encrypts the parameters of integrations, each bound to its integration. */
@Injectable()
export class IntegrationSecrets {
  constructor(private readonly box: SecretBox) {}

  seal(integrationId: string, parameters: Parameters): string {
    return this.box.seal(JSON.stringify(parameters), placeOf(integrationId));
  }

  open(integrationId: string, sealed: string): Parameters {
    const parameters: Parameters = JSON.parse(this.box.open(sealed, placeOf(integrationId)));
    return parameters;
  }
}

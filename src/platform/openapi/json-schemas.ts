import { Injectable } from '@nestjs/common';
import type { JsonSchema } from './json-schema.js';

/** The schemas that the service publishes, of all modules. */
@Injectable()
export class JsonSchemas {
  /** Their addresses, sorted. */
  readonly addresses: string[] = [];

  add(...schemas: JsonSchema[]): void {
    this.addresses.push(...schemas.map(({ $id }) => String($id)));
    this.addresses.sort();
  }
}

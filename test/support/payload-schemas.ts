import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Each throws for a payload of another shape. */
export interface PayloadSchemas {
  default(payload: unknown): void;
  scoped(payload: unknown): void;
}

/** Validates payloads with the schemas that the service itself publishes. */
export async function holdToSchema(baseUrl: string): Promise<PayloadSchemas> {
  const check = (shape: 'default' | 'scoped') => schemaCheck(baseUrl, `webhook-export.${shape}.json`);
  return { default: await check('default'), scoped: await check('scoped') };
}

/** Throws for a payload that breaks the schema of this name. */
export async function schemaCheck(baseUrl: string, name: string): Promise<(payload: unknown) => void> {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats(ajv);
  const schema = (await (await fetch(`${baseUrl}/schemas/${name}`)).json()) as object;
  const validate = ajv.compile(schema);
  return (payload) => {
    if (!validate(payload)) throw new Error(`A payload breaks ${name}: ${ajv.errorsText(validate.errors)}`);
  };
}

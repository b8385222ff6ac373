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
  const check = async (shape: 'default' | 'scoped') => {
    const ajv = new Ajv2020({ allErrors: true });
    addFormats(ajv);
    const schema = (await (await fetch(`${baseUrl}/schemas/webhook-export.${shape}.json`)).json()) as object;
    const validate = ajv.compile(schema);
    return (payload: unknown): void => {
      if (!validate(payload))
        throw new Error(`The ${shape} payload breaks its schema: ${ajv.errorsText(validate.errors)}`);
    };
  };
  return { default: await check('default'), scoped: await check('scoped') };
}

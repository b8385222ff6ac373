import type { ApiClient } from './api-client.js';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  propertyNames?: Schema;
  additionalProperties?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

/** One operation of `/openapi.json`. */
export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  /** The JSON body that it takes, if any. */
  body: Schema | undefined;
}

interface OpenApi {
  paths: Record<
    string,
    Record<string, { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
  components: { schemas: Record<string, Schema> };
}

/** The operations that the service describes, with samples of their input. */
export class Operations {
  constructor(
    private readonly document: OpenApi,
    private readonly known: Record<string, string>,
  ) {}

  /** `known` gives values for parameters of these names, where a sample would refer to nothing. */
  static async of(shop: { api: Pick<ApiClient, 'get'> }, known: Record<string, string> = {}): Promise<Operations> {
    return new Operations((await shop.api.get<OpenApi>('/openapi.json')).body, known);
  }

  /** All of them, except those that call other services. */
  all(): Operation[] {
    return this.everything().filter(({ path }) => !/import-from-url|fetch-url/.test(path));
  }

  /** All of them. */
  everything(): Operation[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters = [], requestBody }]) => {
        const body = requestBody?.content['application/json']?.schema;
        return { method: method.toUpperCase(), path, parameters, body };
      }),
    );
  }

  /** Those that take a JSON body. */
  withBody(): (Operation & { body: Schema })[] {
    return this.all().filter((operation): operation is Operation & { body: Schema } => operation.body !== undefined);
  }

  /** The schema that a reference points to, or the first one of a choice. */
  resolved(schema: Schema): Schema {
    const next = schema.anyOf?.[0] ?? schema.allOf?.[0];
    if (next) return this.resolved(next);
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = this.document.components.schemas[name];
    if (!target) throw new Error(`/openapi.json refers to ${schema.$ref}, which it does not have`);
    return this.resolved(target);
  }

  /** A value that the schema accepts, as far as types and bounds tell. */
  sample(given: Schema): unknown {
    const schema = this.resolved(given);
    if (schema.example !== undefined) return schema.example;
    if (schema.enum) return schema.enum[0];
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type) {
      case 'integer':
      case 'number':
        return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
      case 'boolean':
        return false;
      case 'array':
        return schema.items ? [this.sample(schema.items)] : [];
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, this.sample(property)]),
        );
      default:
        return sampleText(schema);
    }
  }

  /** The URL path of an operation, with `values` for its parameters and samples for required ones that are missing. */
  address({ path, parameters }: Operation, values: Record<string, string | undefined> = {}): string {
    const given = { ...this.known, ...values };
    const valueOf = (one: Parameter) => encodeURIComponent(given[one.name] ?? String(this.sample(one.schema)));
    const inPath = parameters.filter((one) => one.in === 'path');
    const inQuery = parameters.filter((one) => one.in === 'query' && (one.required || one.name in values));
    const filled = inPath.reduce((address, one) => address.replace(`{${one.name}}`, valueOf(one)), path);
    const query = inQuery.map((one) => `${one.name}=${valueOf(one)}`).join('&');
    return query === '' ? filled : `${filled}?${query}`;
  }
}

function sampleText({ format, minLength = 1 }: Schema): string {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'email') return 'someone@example.com';
  if (format === 'date-time') return '2030-01-31T12:00:00Z';
  return 'a'.repeat(Math.max(minLength, 3));
}

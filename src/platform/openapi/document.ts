export type Json = Record<string, unknown>;

/** A schema of the interface description, as far as this folder reads it. */
export interface Schema extends Json {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  format?: string;
  minimum?: number;
  example?: unknown;
  default?: unknown;
}

export interface Parameter extends Json {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

export type Content = Record<string, { schema?: Schema; example?: unknown }>;

export interface Operation extends Json {
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; [key: string]: unknown }>;
}

export type Paths = Record<string, Record<string, Operation>>;

const schemaPath = '#/components/schemas/';

/** The reference to a schema. */
export function refTo(name: string): { $ref: string } {
  return { $ref: `${schemaPath}${name}` };
}

/** The name of the schema that a reference leads to, or undefined for any other value. */
export function nameOf(ref: unknown): string | undefined {
  return typeof ref === 'string' && ref.startsWith(schemaPath) ? ref.slice(schemaPath.length) : undefined;
}

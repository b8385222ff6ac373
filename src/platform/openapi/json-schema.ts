/** A JSON Schema (draft 2020-12), as far as payloads need it. */
export type JsonSchema = Record<string, unknown>;

/** The draft that schemas are written in. */
export const draft = 'https://json-schema.org/draft/2020-12/schema';

export const uuid: JsonSchema = { type: 'string', format: 'uuid' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const text: JsonSchema = { type: 'string' };
export const truth: JsonSchema = { type: 'boolean' };
export const number: JsonSchema = { type: 'number' };
export const anyObject: JsonSchema = { type: 'object' };

export const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: [...values] });
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const named = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** An object with these fields, which may have the optional ones or null for them. Readers ignore unknown ones. */
export function object(fields: Record<string, JsonSchema>, optional: Record<string, JsonSchema> = {}): JsonSchema {
  const nullable = Object.entries(optional).map(([name, schema]) => [name, { anyOf: [schema, { type: 'null' }] }]);
  return {
    type: 'object',
    properties: { ...fields, ...Object.fromEntries(nullable) },
    required: Object.keys(fields),
  };
}

const sampleId = '00000000-0000-7000-8000-000000000000';
const sampleTime = '2026-01-01T00:00:00.000Z';
/** The schemas contain each other: from this depth on, lists are empty and nullable values are null. */
const deepest = 4;

export type Definitions = Record<string, JsonSchema>;

/** A plausible value for a schema. */
export function sampleOf(schema: JsonSchema, definitions: Definitions, depth = 0): unknown {
  const inner = (one: unknown): unknown => sampleOf(one as JsonSchema, definitions, depth + 1);
  const { $ref: reference, anyOf: choices, enum: values, type, format, pattern } = schema;
  if (typeof reference === 'string')
    return sampleOf(definitions[reference.split('/').at(-1) ?? ''] ?? {}, definitions, depth);
  if (Array.isArray(choices)) return depth >= deepest ? null : sampleOf(choices[0] as JsonSchema, definitions, depth);
  if (Array.isArray(values)) return values[0];
  if (type === 'array') return depth >= deepest ? [] : [inner(schema['items'])];
  if (type === 'object') {
    const fields = Object.entries((schema['properties'] ?? {}) as Definitions);
    return Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
  }
  if (type === 'number') return 1;
  if (type === 'boolean') return true;
  if (format === 'uuid') return sampleId;
  if (format === 'date-time') return sampleTime;
  return pattern === undefined ? 'sample' : 'asset://sample';
}

import { payloadRoots } from '../workflows/payload-roots.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';

/** A JSON Schema (draft 2020-12), as far as payloads need it. */
export type JsonSchema = Record<string, unknown>;

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

/** The schema of a payload: each root, in their order, is an array of the definition of this name. */
export function payloadSchema(
  variant: PayloadVariant,
  names: readonly string[],
  definitions: Record<string, JsonSchema>,
): JsonSchema {
  const roots = payloadRoots.map((root, index) => [root, listOf(named(names[index] ?? root))]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/schemas/webhook-export.${variant}.json`,
    title: `Webhook export, ${variant} variant`,
    ...object(Object.fromEntries(roots) as Record<string, JsonSchema>, { test: truth }),
    $defs: definitions,
  };
}

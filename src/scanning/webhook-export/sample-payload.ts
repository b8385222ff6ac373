import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';
import { defaultSchema } from './default-schema.js';
import type { JsonSchema } from './json-schema.js';
import { scopedSchema } from './scoped-schema.js';

const schemas: Record<PayloadVariant, JsonSchema> = { default: defaultSchema, scoped: scopedSchema };
const sampleId = '00000000-0000-7000-8000-000000000000';
const sampleTime = '2026-01-01T00:00:00.000Z';
/** The schemas contain each other: from this depth on, lists are empty and nullable values are null. */
const deepest = 4;

type Definitions = Record<string, JsonSchema>;

/** A plausible value for a schema. */
function sampleOf(schema: JsonSchema, definitions: Definitions, depth = 0): unknown {
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

/** A payload made from the published schema: one element in each of these roots, and marked as a test. */
export function samplePayload(variant: PayloadVariant, roots: readonly PayloadRoot[]): Record<string, unknown> {
  const { properties, $defs } = schemas[variant] as { properties: Definitions; $defs: Definitions };
  const arrays = payloadRoots.map((root) => [
    root,
    roots.includes(root) ? sampleOf(properties[root] ?? {}, $defs) : [],
  ]);
  return { ...(Object.fromEntries(arrays) as object), test: true };
}

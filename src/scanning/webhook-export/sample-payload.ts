import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';
import { defaultSchema } from './default-schema.js';
import { type Definitions, type JsonSchema, sampleOf } from '../../platform/openapi/json-schema.js';
import { scopedSchema } from './scoped-schema.js';

const schemas: Record<PayloadVariant, JsonSchema> = { default: defaultSchema, scoped: scopedSchema };
/** A payload made from the published schema: one element in each of these roots, and marked as a test. */
export function samplePayload(variant: PayloadVariant, roots: readonly PayloadRoot[]): Record<string, unknown> {
  const { properties, $defs } = schemas[variant] as { properties: Definitions; $defs: Definitions };
  const arrays = payloadRoots.map((root) => [
    root,
    roots.includes(root) ? sampleOf(properties[root] ?? {}, $defs) : [],
  ]);
  return { ...(Object.fromEntries(arrays) as object), test: true };
}

import {
  draft,
  type JsonSchema,
  listOf,
  named,
  number,
  object,
  text,
  truth,
} from '../../platform/openapi/json-schema.js';
import { payloadRoots } from '../workflows/payload-roots.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';

/** The definition of a root's elements: each has a link to its page in the console, which it lacks within others. */
function withUrl(definition: JsonSchema): JsonSchema {
  return { ...definition, properties: { ...(definition['properties'] as object), url: text } };
}

/** The schema of a payload: each root, in their order, is an array of the definition of this name. */
export function payloadSchema(
  variant: PayloadVariant,
  names: readonly string[],
  definitions: Record<string, JsonSchema>,
): JsonSchema {
  const roots = payloadRoots.map((root, index) => [root, listOf(named(names[index] ?? root))]);
  return {
    $schema: draft,
    $id: `/schemas/webhook-export.${variant}.json`,
    title: `Webhook export, ${variant} variant`,
    ...object(Object.fromEntries(roots) as Record<string, JsonSchema>, { test: truth, part: number, of: number }),
    $defs: Object.fromEntries(
      Object.entries(definitions).map(([name, one]) => [name, names.includes(name) ? withUrl(one) : one]),
    ),
  };
}

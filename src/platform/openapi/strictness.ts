import { nameOf, type Operation, type Schema } from './document.js';

function close(schema: Schema | undefined, schemas: Record<string, Schema>, closed: Set<Schema>): void {
  if (schema === undefined || closed.has(schema)) return;
  closed.add(schema);
  const name = nameOf(schema.$ref);
  if (name !== undefined) close(schemas[name], schemas, closed);
  if (schema.properties) schema['additionalProperties'] = false;
  const { items, allOf = [], anyOf = [], oneOf = [], properties = {} } = schema;
  for (const inner of [items, ...allOf, ...anyOf, ...oneOf, ...Object.values(properties)]) {
    close(inner, schemas, closed);
  }
}

/** Forbids properties beyond the named ones for every object in the JSON bodies of an operation. */
export function closeBodies({ requestBody }: Operation, schemas: Record<string, Schema>): void {
  const closed = new Set<Schema>();
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    if (type !== 'multipart/form-data') close(schema, schemas, closed);
  }
}

type Node = Record<string, unknown>;

/** A reference with words beside it: 3.0 needed an `allOf` around it. */
function unwrapped({ allOf, ...rest }: Node): Node {
  if (!Array.isArray(allOf)) return rest;
  return allOf.length === 1 ? { ...(allOf[0] as Node), ...rest } : { allOf, ...rest };
}

/** OpenAPI 3.1 says null by type, and lets words stand beside a reference; the generator writes 3.0. */
export function inTermsOf31(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inTermsOf31);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = unwrapped(
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inTermsOf31(value)])),
  );
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  if (typeof rest['type'] === 'string') {
    const values = rest['enum'] as unknown[] | undefined;
    return { ...rest, type: [rest['type'], 'null'], ...(values ? { enum: [...values, null] } : {}) };
  }
  const { description: words, ...schema } = rest;
  return { anyOf: [schema, { type: 'null' }], ...(words === undefined ? {} : { description: words }) };
}

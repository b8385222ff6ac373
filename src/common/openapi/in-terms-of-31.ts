type Node = Record<string, unknown>;

/** A reference with a description beside it, which 3.0 wraps into an `allOf`. */
function unwrapped({ allOf, ...rest }: Node): Node {
  if (!Array.isArray(allOf)) return rest;
  return allOf.length === 1 ? { ...(allOf[0] as Node), ...rest } : { allOf, ...rest };
}

/** Turns the generator's OpenAPI 3.0 into 3.1: null is a type, and a reference may have a description beside it. */
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

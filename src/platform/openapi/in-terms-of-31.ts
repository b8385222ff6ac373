type Node = Record<string, unknown>;

/** A reference with a description beside it, which 3.0 wraps into an `allOf`. */
function unwrapped({ allOf, ...rest }: Node): Node {
  if (!Array.isArray(allOf)) return rest;
  return allOf.length === 1 ? { ...(allOf[0] as Node), ...rest } : { allOf, ...rest };
}

/** Whether a keyword says something of a schema, rather than what is valid by it. */
function isWord(key: string): boolean {
  return ['description', 'example', 'default'].includes(key) || key.startsWith('x-');
}

/** A schema or null, its words outside: an enum never holds null, which generators would take for one of its texts. */
function orNull(schema: Node): Node {
  const words = Object.entries(schema).filter(([key]) => isWord(key));
  const rules = Object.entries(schema).filter(([key]) => !isWord(key));
  return { anyOf: [Object.fromEntries(rules), { type: 'null' }], ...Object.fromEntries(words) };
}

/** Turns the generator's OpenAPI 3.0 into 3.1: null is a type, and a reference may have a description beside it. */
export function inTermsOf31(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inTermsOf31);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = unwrapped(
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inTermsOf31(value)])),
  );
  const { type, enum: values } = rest;
  if (Array.isArray(type) && Array.isArray(values)) {
    const [only] = type.filter((one) => one !== 'null') as string[];
    return orNull({ ...rest, type: only, enum: values.filter((value) => value !== null) });
  }
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  return typeof type === 'string' ? { ...rest, type: [type, 'null'] } : orNull(rest);
}

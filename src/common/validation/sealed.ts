/** A caller's value that class-transformer must pass on untouched: it follows `constructor` in objects, not functions. */
export function sealed(value: unknown): () => unknown {
  return () => value;
}

/** Opens what `sealed` closed; other values pass. */
export function unsealed({ value }: { value: unknown }): unknown {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

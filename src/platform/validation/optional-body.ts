const optionalBodies = new WeakSet<object>();

/** A body of this class may be left out: it then counts as one without fields. */
export function OptionalBody(): ClassDecorator {
  return (dto) => {
    optionalBodies.add(dto);
  };
}

export function isOptionalBody(dto: object): boolean {
  return optionalBodies.has(dto);
}

const optionalBodies = new WeakSet<object>();

/** A body of this shape may be left out: it then counts as one without fields. */
export function OptionalBody(): ClassDecorator {
  return (shape) => {
    optionalBodies.add(shape);
  };
}

export function isOptionalBody(shape: object): boolean {
  return optionalBodies.has(shape);
}

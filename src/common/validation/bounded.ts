import { type FieldSpec, fieldSpecsOf, type ShapeClass } from './field-spec.js';

const bounded = new WeakSet<object>();

/** What is missing of a field's bounds; null where whatever is sent as it has one. */
function missingBound(spec: FieldSpec): string | null {
  switch (spec.kind) {
    case 'string':
      return spec.maxLength === undefined && spec.format !== 'uuid' && spec.format !== 'date-time' ? 'maxLength' : null;
    case 'list':
      return spec.maxItems === undefined ? 'maxItems' : missingBound(spec.item);
    case 'array':
      return spec.maxItems === undefined ? 'maxItems' : null;
    case 'json':
      return spec.bounds === undefined ? 'bounds' : null;
    default:
      return null;
  }
}

/**
 * Holds a shape that requests are read as to this: whatever a caller can send has a bound, at any depth. Throws where
 * one was forgotten; looks at each shape once.
 */
export function assertBounded(shape: ShapeClass): void {
  if (bounded.has(shape)) return;
  bounded.add(shape);
  for (const [name, spec] of fieldSpecsOf(shape)) {
    const missing = missingBound(spec);
    if (missing !== null) {
      bounded.delete(shape);
      throw new Error(`${shape.name}.${name} is read from requests and has no ${missing}`);
    }
    if (spec.kind === 'object' || spec.kind === 'array') assertBounded(spec.shape());
  }
}

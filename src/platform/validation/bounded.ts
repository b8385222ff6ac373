import { type FieldSpec, fieldSpecsOf, type ShapeClass } from './field-spec.js';

const bounded = new WeakSet<object>();

/** The bound that a field lacks, or null. */
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
 * Asserts that everything a caller can send as this shape has a bound, at any depth. Throws where one is missing; checks
 * each shape once.
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

import { faultOf } from './check-value.js';
import { type FieldSpec, fieldSpecsOf, type ShapeClass } from './field-spec.js';
import { readShape } from './read-shape.js';

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fits(value: unknown, shape: ShapeClass): value is Fields {
  if (!isFields(value)) return false;
  for (const [name, spec] of fieldSpecsOf(shape)) {
    if (!fieldFits(Object.hasOwn(value, name) ? value[name] : undefined, spec)) return false;
  }
  return true;
}

function fieldFits(value: unknown, spec: FieldSpec): boolean {
  if (faultOf(value, spec) !== null) return false;
  if (value === undefined || value === null) return true;
  if (spec.kind === 'object') return fits(value, spec.shape());
  if (spec.kind === 'array') return (value as unknown[]).every((entry) => fits(entry, spec.shape()));
  return true;
}

/** The fields that the shape knows, with defaults, without the nulls that count as left out. */
function settled(value: Fields, shape: ShapeClass): Fields {
  const fields: Fields = {};
  for (const [name, spec] of fieldSpecsOf(shape)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const counts = given !== undefined && !(given === null && spec.nullable === 'ignored');
    const field = counts ? settledField(given, spec) : spec.default;
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}

function settledField(value: unknown, spec: FieldSpec): unknown {
  if (value === null) return null;
  if (spec.kind === 'object') return settled(value as Fields, spec.shape());
  if (spec.kind === 'array') return (value as Fields[]).map((entry) => settled(entry, spec.shape()));
  return value;
}

/**
 * Reads `value` as `shape` as `readShape` does for a body, into a plain object and many times faster where nothing is
 * wrong: for bodies of thousands. Throws `Invalid` with the problems that `readShape` finds.
 */
export function readQuickly<T extends object>(shape: new () => T, value: unknown): T {
  return fits(value, shape) ? (settled(value, shape) as T) : readShape(shape, value, 'body');
}

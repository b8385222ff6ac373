import { faultOf } from './check-value.js';
import { type FieldSpec, fieldSpecsOf, type ShapeClass } from './field-spec.js';

type Fields = Record<string, unknown>;

const maxId = 2_147_483_647;

/** Whether `value` is an object of fields: no list, no null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether nothing is wrong with `value` as `shape`. */
export function fits(value: unknown, shape: ShapeClass): value is Fields {
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

/**
 * The fields that the shape knows of a value that fits it: with defaults, without the nulls that count as left out,
 * clamped values moved within their bounds. No other key of the caller's may steer what follows: not `constructor`, not
 * `__proto__`.
 */
export function settled(value: Fields, shape: ShapeClass): Fields {
  const fields: Fields = {};
  for (const [name, spec] of fieldSpecsOf(shape)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const counts = given !== undefined && !(given === null && spec.nullable === 'ignored');
    const field = counts ? settledField(given, spec) : defaultOf(spec);
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}

function defaultOf({ default: value }: FieldSpec): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function settledField(value: unknown, spec: FieldSpec): unknown {
  if (value === null) return null;
  if (spec.kind === 'object') return settled(value as Fields, spec.shape());
  if (spec.kind === 'array') return (value as Fields[]).map((entry) => settled(entry, spec.shape()));
  return typeof value === 'number' ? fitted(value, spec) : value;
}

function fitted(value: number, spec: FieldSpec): number {
  if (spec.kind === 'id') return value > maxId || value < 0 ? 0 : value;
  if ((spec.kind === 'integer' || spec.kind === 'number') && spec.clamp) {
    return Math.min(spec.max ?? Infinity, Math.max(spec.min ?? -Infinity, value));
  }
  return value;
}

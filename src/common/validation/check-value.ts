import { isEmail } from 'class-validator';
import type { EnumSpec, FieldSpec, NumberSpec, StringSpec } from './field-spec.js';

/** What is wrong with a value, in pydantic's vocabulary (https://docs.pydantic.dev/latest/errors/validation_errors/). */
export interface Fault {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const dateTimePattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** Whether `text` is written as a UUID. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** The fault of text that PostgreSQL cannot keep: a NUL byte or a lone surrogate. */
export function textFault(text: string): Fault | null {
  if (text.includes('\0') || !text.isWellFormed()) {
    return { type: 'string_unicode', msg: 'Input should be valid text: without NUL characters and lone surrogates' };
  }
  return null;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function lengthFault(value: string, { minLength = 0, maxLength = Infinity }: StringSpec): Fault | null {
  const length = value.length <= maxLength && value.length > minLength ? value.length : [...value].length;
  if (length < minLength) {
    const msg = `String should have at least ${plural(minLength, 'character')}`;
    return { type: 'string_too_short', msg, ctx: { min_length: minLength } };
  }
  if (length > maxLength) {
    const msg = `String should have at most ${plural(maxLength, 'character')}`;
    return { type: 'string_too_long', msg, ctx: { max_length: maxLength } };
  }
  return null;
}

function formatFault(value: string, format: StringSpec['format']): Fault | null {
  if (format === 'email' && !isEmail(value)) {
    return { type: 'value_error', msg: 'Input should be a valid e-mail address, such as name@example.com' };
  }
  if (format === 'uuid' && !isUuid(value)) return { type: 'uuid_parsing', msg: 'Input should be a valid UUID' };
  if (format === 'date-time' && !(dateTimePattern.test(value) && isRealTime(value))) {
    return { type: 'datetime_parsing', msg: 'Input should be a valid date and time, such as 2030-01-31T12:00:00Z' };
  }
  return null;
}

function isRealTime(value: string): boolean {
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(value.replace(' ', 'T'))) &&
    !Number.isNaN(day.getTime()) &&
    day.toISOString().startsWith(value.slice(0, 10))
  );
}

function stringFault(value: unknown, spec: StringSpec): Fault | null {
  if (typeof value !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' };
  const fault = textFault(value) ?? lengthFault(value, spec);
  if (fault) return fault;
  if (spec.pattern && !spec.pattern.test(value)) {
    const msg = spec.patternHint ?? `String should match pattern '${spec.pattern.source}'`;
    return { type: 'string_pattern_mismatch', msg, ctx: { pattern: spec.pattern.source } };
  }
  return formatFault(value, spec.format);
}

function boundsFault(value: number, spec: NumberSpec): Fault | null {
  if (spec.clamp) return null;
  if (spec.above !== undefined && value <= spec.above) {
    return { type: 'greater_than', msg: `Input should be greater than ${spec.above}`, ctx: { gt: spec.above } };
  }
  if (spec.min !== undefined && value < spec.min) {
    return {
      type: 'greater_than_equal',
      msg: `Input should be greater than or equal to ${spec.min}`,
      ctx: { ge: spec.min },
    };
  }
  if (spec.max !== undefined && value > spec.max) {
    return { type: 'less_than_equal', msg: `Input should be less than or equal to ${spec.max}`, ctx: { le: spec.max } };
  }
  return null;
}

/** Whether a number has at most `decimals` decimal places, as it would be written. */
function hasAtMostDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}

function numberFault(value: unknown, spec: NumberSpec): Fault | null {
  const integer = spec.kind === 'integer';
  if (typeof value !== 'number') {
    return integer
      ? { type: 'int_type', msg: 'Input should be a valid integer' }
      : { type: 'float_type', msg: 'Input should be a valid number' };
  }
  if (!Number.isFinite(value)) return { type: 'finite_number', msg: 'Input should be a finite number' };
  if (integer && !Number.isInteger(value)) {
    return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' };
  }
  const fault = boundsFault(value, spec);
  if (fault) return fault;
  if (spec.decimals !== undefined && !hasAtMostDecimals(value, spec.decimals)) {
    const msg = `Input should have no more than ${plural(spec.decimals, 'decimal place')}`;
    return { type: 'decimal_max_places', msg, ctx: { decimal_places: spec.decimals } };
  }
  return null;
}

function enumFault(value: unknown, spec: EnumSpec): Fault | null {
  if (typeof value === 'string' && spec.values.includes(value)) return null;
  const quoted = spec.values.map((one) => `'${one}'`);
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : quoted.join('');
  return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } };
}

/** The fault of one field's value against its spec, or null. What lies inside objects and arrays is checked field by field. */
export function faultOf(value: unknown, spec: FieldSpec): Fault | null {
  if (value === undefined) return spec.optional ? null : { type: 'missing', msg: 'Field required' };
  if (value === null && spec.nullable) return null;
  switch (spec.kind) {
    case 'string':
      return stringFault(value, spec);
    case 'integer':
    case 'number':
      return numberFault(value, spec);
    case 'id':
      return numberFault(value, { kind: 'integer' });
    case 'boolean':
      return typeof value === 'boolean' ? null : { type: 'bool_type', msg: 'Input should be a valid boolean' };
    case 'enum':
      return enumFault(value, spec);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? null
        : { type: 'model_attributes_type', msg: 'Input should be a valid object' };
    case 'array':
      return Array.isArray(value) ? null : { type: 'list_type', msg: 'Input should be a valid list' };
  }
}

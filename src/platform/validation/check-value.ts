import { jsonFault } from './check-json.js';
import {
  type ArraySpec,
  type EnumSpec,
  type FieldSpec,
  type ListSpec,
  type NumberSpec,
  patternText,
  type StringSpec,
} from './field-spec.js';
import { type Fault, plural, textFault, Unreadable } from './fault.js';
import { isEmail } from './is-email.js';
import { isPictureUrl, pictureUrl } from './picture-url.js';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-](0\d|1[0-4]):\d{2})?$/;
// The years that both PostgreSQL and ISO 8601 without signs can write: 1 to 9999, in UTC.
const earliestTime = Date.parse('0001-01-01T00:00:00Z');
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');

export const notAnObject: Fault = { type: 'model_attributes_type', msg: 'Input should be a valid object' };

/** Whether `value` is an object: no list, no null. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `text` is written as a UUID. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

function lengthFault(value: string, { minLength = 0, maxLength = Infinity }: StringSpec): Fault | null {
  const length = value.length <= maxLength && value.length >= 2 * minLength ? value.length : Array.from(value).length;
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

function dateTimeFault(value: string): Fault | null {
  const match = dateTimePattern.exec(value);
  const zone = match?.[5];
  const time = match && isDay(match[1] ?? '') ? Date.parse(value.replace(' ', 'T') + (zone ? '' : 'Z')) : NaN;
  if (Number.isNaN(time)) {
    return { type: 'datetime_parsing', msg: 'Input should be a valid date and time, such as 2030-01-31T12:00:00Z' };
  }
  if (zone === undefined) {
    const msg = 'Input should say its time zone: end it with Z, or with an offset such as +02:00';
    return { type: 'timezone_aware', msg };
  }
  if (time >= earliestTime && time <= latestTime) return null;
  return { type: 'datetime_parsing', msg: 'Input should be a valid date and time in the years 1 to 9999' };
}

/** Whether the day exists: `Date.parse` takes February 30. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function formatFault(value: string, format: StringSpec['format']): Fault | null {
  if (format === 'email' && !isEmail(value)) {
    return { type: 'value_error', msg: 'Input should be a valid e-mail address, such as name@example.com' };
  }
  if (format === 'uuid' && !isUuid(value)) return { type: 'uuid_parsing', msg: 'Input should be a valid UUID' };
  if (format === 'uri-reference' && !isPictureUrl(value)) return { type: 'url_parsing', msg: pictureUrl.patternHint };
  return format === 'date-time' ? dateTimeFault(value) : null;
}

function stringTypeFault(format: StringSpec['format']): Fault {
  if (format === 'uuid') return { type: 'uuid_type', msg: 'Input should be a valid UUID, written as a string' };
  if (format === 'date-time') {
    return { type: 'datetime_type', msg: 'Input should be a valid date and time, written as a string' };
  }
  return { type: 'string_type', msg: 'Input should be a valid string' };
}

function stringFault(value: unknown, spec: StringSpec): Fault | null {
  if (typeof value !== 'string') return stringTypeFault(spec.format);
  const fault = textFault(value) ?? lengthFault(value, spec);
  if (fault) return fault;
  if (spec.pattern && !spec.pattern.test(value)) {
    const pattern = patternText(spec.pattern);
    const msg = spec.patternHint ?? `String should match pattern '${pattern}'`;
    return { type: 'string_pattern_mismatch', msg, ctx: { pattern } };
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

/** Whether a number is written with at most `decimals` decimal places. */
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

/** The fault of a list as a whole; `maxItems` is checked before any entry. */
function itemsFault(value: unknown, { minItems = 0, maxItems = Infinity }: ListSpec | ArraySpec): Fault | null {
  if (!Array.isArray(value)) return { type: 'list_type', msg: 'Input should be a valid list' };
  if (value.length < minItems) {
    const msg = `List should have at least ${plural(minItems, 'item')}`;
    return { type: 'too_short', msg, ctx: { min_length: minItems, actual_length: value.length } };
  }
  if (value.length > maxItems) {
    const msg = `List should have at most ${plural(maxItems, 'item')}`;
    return { type: 'too_long', msg, ctx: { max_length: maxItems, actual_length: value.length } };
  }
  return null;
}

function listFault(value: unknown, spec: ListSpec): Fault | null {
  const fault = itemsFault(value, spec);
  if (fault) return fault;
  for (const [at, entry] of (value as unknown[]).entries()) {
    const entryFault = faultOf(entry ?? null, spec.item);
    if (entryFault) return { ...entryFault, at };
  }
  return null;
}

/** The fault of one field's value against its spec, or null. The contents of objects and arrays have checks of their own. */
export function faultOf(value: unknown, spec: FieldSpec): Fault | null {
  if (value instanceof Unreadable) return value.fault;
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
      return isFields(value) ? null : notAnObject;
    case 'json':
      if (!isFields(value)) return { type: 'dict_type', msg: 'Input should be a valid object' };
      return spec.bounds ? jsonFault(value, spec.bounds) : null;
    case 'list':
      return listFault(value, spec);
    default:
      return itemsFault(value, spec);
  }
}

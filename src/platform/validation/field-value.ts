import { isFields } from './check-value.js';
import { Unreadable } from './fault.js';
import { fieldSpecsOf } from './dto.js';
import type { DtoClass, FieldSpec, ListSpec } from './field-spec.js';
import { parseText } from './parse-text.js';

const maxId = 2_147_483_647;
// Nobody pads by more: a longer text is checked against its field's bound with its blanks.
const longestTidied = 20_000;

/** A text without the blanks that its field ignores; null where a blank text means none. */
function tidied(given: unknown, spec: FieldSpec): unknown {
  if (typeof given !== 'string' || spec.kind !== 'string' || given.length > longestTidied) return given;
  if (spec.blank === 'none' && given.trim() === '') return spec.nullable === true ? null : undefined;
  return spec.trimmed ? given.trim() : given;
}

function defaultOf({ default: value, defaultLater }: FieldSpec): unknown {
  if (defaultLater) return undefined;
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** A number as its field has it: clamped, and 0 for an id that no row has. Values that are at fault stay as they are. */
function fitted(value: unknown, spec: FieldSpec): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  if (spec.kind === 'id') return Number.isInteger(value) && (value > maxId || value < 0) ? 0 : value;
  if ((spec.kind !== 'integer' && spec.kind !== 'number') || !spec.clamp) return value;
  if (spec.kind === 'integer' && !Number.isInteger(value)) return value;
  return Math.min(spec.max ?? Infinity, Math.max(spec.min ?? -Infinity, value));
}

/** Reads the fields of an object within a value as a DTO. */
type ReadDto = (dto: DtoClass, fields: Record<string, unknown>) => unknown;

/**
 * The value of a field in what was sent: without blanks and nulls that count as left out, with its default. Values that are at
 * fault stay as they are, and an entry that is no object becomes null. Entries beyond `maxItems` are not read.
 */
export function fieldValue(sent: object, name: string, spec: FieldSpec, readDto: ReadDto): unknown {
  const given = tidied(Object.hasOwn(sent, name) ? (sent as Record<string, unknown>)[name] : undefined, spec);
  if (given === undefined || (given === null && spec.nullable === 'ignored')) return defaultOf(spec);
  if (spec.kind === 'object') return isFields(given) ? readDto(spec.dto(), given) : given;
  if (spec.kind !== 'array') return fitted(given, spec);
  if (!Array.isArray(given) || given.length > (spec.maxItems ?? Infinity)) return given;
  return given.map((entry: unknown) => (isFields(entry) ? readDto(spec.dto(), entry) : null));
}

/** The commas that separate values: others have a backslash before them, and belong to a value. */
const separators = /(?<!\\),/;

/** The values of a list in a query: comma lists, repeated values, or both. */
function parsedList(given: unknown, { item }: ListSpec): unknown[] | Unreadable {
  const texts = (Array.isArray(given) ? given : [given]).flatMap((text) => String(text).split(separators));
  const values: unknown[] = [];
  for (const text of texts.map((one) => one.replaceAll('\\,', ',').trim()).filter((one) => one !== '')) {
    const value = parseText(text, item);
    if (typeof value === 'object') return new Unreadable({ ...value, at: values.length });
    values.push(value);
  }
  return values;
}

function parsed(given: unknown, spec: FieldSpec): unknown {
  if (given === undefined) return undefined;
  if (spec.kind === 'list') return parsedList(given, spec);
  // Of a line of a file alone: queries and paths have none.
  if (spec.kind === 'array') return given;
  const text: unknown = Array.isArray(given) ? given.at(-1) : given;
  if (typeof text !== 'string') return undefined;
  const value = parseText(text, spec);
  return typeof value === 'object' ? new Unreadable(value, text) : value;
}

/** Query and path values arrive as texts: each is read as its field's kind. Of a repeated value the last counts. */
export function parsedFields(dto: DtoClass, texts: Record<string, unknown>): Record<string, unknown> {
  const specs = fieldSpecsOf(dto);
  const read = ([name, given]: [string, unknown]): [string, unknown] => {
    const spec = specs.get(name);
    return [name, spec ? parsed(given, spec) : given];
  };
  return Object.fromEntries(Object.entries(texts).map(read));
}

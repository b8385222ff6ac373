/** A class whose fields carry the decorators of `fields.ts`: a body, parameters, or a part of them. */
export type DtoClass = new () => object;

interface Common {
  /** The field may be left out. */
  optional?: boolean;
  /** `true`: null is a value. `'ignored'`: null counts as omitted, as in updates. */
  nullable?: boolean | 'ignored';
  /** The value of an omitted field. */
  default?: unknown;
  /** An omitted field stays so, since the service finds its default only with more than the field at hand. */
  defaultLater?: boolean;
  /** Responses may lack the field although it has a default. */
  leftOut?: boolean;
  description?: string;
  example?: unknown;
  /** The value is a secret, and is never echoed in an error. */
  secret?: boolean;
}

export interface StringSpec extends Common {
  kind: 'string';
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
  /** The texts that the pattern accepts, in words. */
  patternHint?: string;
  format?: 'email' | 'uuid' | 'date-time' | 'uri' | 'uri-reference' | 'binary';
  /** Blanks around the value are removed before it is checked: people paste codes with them. */
  trimmed?: boolean;
  /** `'none'`: a blank text counts as null, or as omitted where null is not a value: forms send it. */
  blank?: 'none';
}

/** A pattern as JSON Schema has it: without the delimiters of a literal, a slash is nothing to escape. */
export function patternText({ source }: RegExp): string {
  return source.replaceAll('\\/', '/');
}

export interface NumberSpec extends Common {
  kind: 'integer' | 'number';
  min?: number;
  max?: number;
  /** The value must be greater than this. */
  above?: number;
  decimals?: number;
  /** A value out of bounds is clamped rather than refused. */
  clamp?: boolean;
}
/** A database id: one beyond the column's range is read as 0, which no row has. */
export interface IdSpec extends Common {
  kind: 'id';
}
export interface BooleanSpec extends Common {
  kind: 'boolean';
}
export interface EnumSpec extends Common {
  kind: 'enum';
  values: readonly string[];
}
export interface ObjectSpec extends Common {
  kind: 'object';
  dto: () => DtoClass;
}
/** A list of objects. */
export interface ArraySpec extends Common {
  kind: 'array';
  dto: () => DtoClass;
  minItems?: number;
  maxItems?: number;
}

/** A list of scalars; in a query, a comma list, repeated values, or both. */
export interface ListSpec extends Common {
  kind: 'list';
  item: StringSpec | NumberSpec | EnumSpec;
  minItems?: number;
  maxItems?: number;
}
/** The most that a free object may hold, at any depth. */
export interface JsonBounds {
  /** Of one object; and the entries of one list. */
  maxProperties: number;
  /** Properties of all objects and entries of all lists together. */
  maxEntries: number;
  maxKeyLength: number;
  maxTextLength: number;
  /** 1: no object or list within. */
  maxDepth: number;
  /** Of all keys and texts together, in UTF-8. */
  maxBytes: number;
}

/** A free object: its content is up to the caller. */
export interface JsonSpec extends Common {
  kind: 'json';
  /** Undefined only in responses. */
  bounds?: JsonBounds;
}

export type FieldSpec =
  StringSpec | NumberSpec | IdSpec | BooleanSpec | EnumSpec | ObjectSpec | ArraySpec | ListSpec | JsonSpec;

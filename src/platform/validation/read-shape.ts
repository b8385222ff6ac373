import { echoed } from '../errors/echo.js';
import { Invalid, type ValidationProblem } from '../errors/invalid.js';
import { faultOf, isFields, notAnObject } from './check-value.js';
import type { Fault } from './fault.js';
import { type FieldSpec, fieldSpecsOf, holdsSecrets, type ListSpec, type ShapeClass } from './field-spec.js';
import { nearestName } from './nearest-name.js';
import { parseText } from './parse-text.js';

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
function assertBounded(shape: ShapeClass): void {
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

/** The most faults that are named; reading then stops. */
export const maxFaults = 50;
const maxId = 2_147_483_647;
const maxNamedLength = 100;

type Fields = Record<string, unknown>;
type Loc = (string | number)[];

/** The options of reading a shape. */
export interface Reading {
  /** Fields that the shape does not know are refused rather than ignored, at any depth. */
  strict?: boolean;
  /** All values are texts, to be read as their fields' kinds, as those of a query and a path always are. */
  textual?: boolean;
}

/** The values of a list in a query: comma lists, repeated values, or both. */
function parseList(given: unknown, { item }: ListSpec): unknown[] | Fault {
  const texts = (Array.isArray(given) ? given : [given]).flatMap((text) => String(text).split(','));
  const values: unknown[] = [];
  for (const text of texts.map((one) => one.trim()).filter((one) => one !== '')) {
    const value = parseText(text, item);
    if (typeof value === 'object') return { ...value, at: values.length };
    values.push(value);
  }
  return values;
}

function defaultOf({ default: value, defaultLater }: FieldSpec): unknown {
  if (defaultLater) return undefined;
  return typeof value === 'object' ? structuredClone(value) : value;
}

function fitted(value: unknown, spec: FieldSpec): unknown {
  if (typeof value !== 'number') return value;
  if (spec.kind === 'id') return value > maxId || value < 0 ? 0 : value;
  if ((spec.kind === 'integer' || spec.kind === 'number') && spec.clamp) {
    return Math.min(spec.max ?? Infinity, Math.max(spec.min ?? -Infinity, value));
  }
  return value;
}

// Nobody pads by more: a longer text is checked against its field's bound with its blanks.
const longestTidied = 20_000;

/** A text without the blanks that its field ignores; null where a blank text means none. */
function tidied(given: unknown, spec: FieldSpec): unknown {
  if (typeof given !== 'string' || spec.kind !== 'string' || given.length > longestTidied) return given;
  if (spec.blank === 'none' && given.trim() === '') return spec.nullable === true ? null : undefined;
  return spec.trimmed ? given.trim() : given;
}

/** One walk over a value, which checks each field against its spec and names faults as it goes. */
class Walk {
  readonly problems: ValidationProblem[] = [];
  private readonly loc: Loc;

  constructor(
    location: string,
    private readonly strict: boolean,
    /** A caller who mixes fields up may send a secret anywhere: if the shape has secrets, no list or object is echoed. */
    private readonly hasSecrets: boolean,
    private readonly textual: boolean,
  ) {
    this.loc = [location];
  }

  /**
   * The fields that the shape knows: with defaults, without the nulls that count as left out, clamped values moved
   * within their bounds. No other key is taken over: not `constructor`, not `__proto__`.
   */
  fields(values: Fields, shape: ShapeClass): Fields {
    const specs = fieldSpecsOf(shape);
    const read: Fields = {};
    for (const [name, spec] of specs) {
      this.loc.push(name);
      const given = Object.hasOwn(values, name) ? values[name] : undefined;
      const field = this.textual ? this.text(given, spec) : this.field(given, spec);
      if (field !== undefined) read[name] = field;
      this.loc.pop();
    }
    if (this.strict) this.refuseUnknown(values, specs);
    return read;
  }

  /** Query and path values arrive as text: each is read as its field's kind. Of a repeated value the last counts. */
  private text(given: unknown, spec: FieldSpec): unknown {
    if (given !== undefined && spec.kind === 'list') return this.parsed(parseList(given, spec), undefined, spec);
    const text: unknown = Array.isArray(given) ? given.at(-1) : given;
    return typeof text === 'string' ? this.parsed(parseText(text, spec), text, spec) : this.field(undefined, spec);
  }

  private parsed(value: unknown, text: string | undefined, spec: FieldSpec): unknown {
    if (!isFields(value)) return this.field(value, spec);
    this.note(value as unknown as Fault, text, spec);
    return undefined;
  }

  private field(sent: unknown, spec: FieldSpec): unknown {
    const given = tidied(sent, spec);
    const fault = faultOf(given, spec);
    if (fault) {
      this.note(fault, given, spec);
      return undefined;
    }
    if (given === undefined || (given === null && spec.nullable === 'ignored')) return defaultOf(spec);
    if (given === null) return null;
    if (spec.kind === 'object') return this.fields(given as Fields, spec.shape());
    return spec.kind === 'array' ? this.entries(given as unknown[], spec.shape()) : fitted(given, spec);
  }

  private entries(values: unknown[], shape: ShapeClass): Fields[] {
    const read: Fields[] = [];
    for (const [at, value] of values.entries()) {
      this.loc.push(at);
      if (isFields(value)) read.push(this.fields(value, shape));
      else this.note(notAnObject, value);
      this.loc.pop();
    }
    return read;
  }

  /** Names every field that is not among the known ones. */
  refuseUnknown(values: Fields, known: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>): void {
    for (const name in values) {
      if (known.has(name) || !Object.hasOwn(values, name)) continue;
      this.loc.push(name.slice(0, maxNamedLength).toWellFormed());
      this.note({ type: 'extra_forbidden', msg: unknownField(name, [...known.keys()]) }, values[name]);
      this.loc.pop();
    }
  }

  /** Names a fault at the current place; throws `Invalid` with all of them at the maximum. */
  note({ at, ...fault }: Fault, value: unknown, spec?: FieldSpec): void {
    const shown = this.mayEcho(value, spec) ? echoed(value) : undefined;
    const loc = at === undefined ? [...this.loc] : [...this.loc, at];
    this.problems.push({ loc, ...fault, ...(shown === undefined ? {} : { input: shown }) });
    if (this.problems.length >= maxFaults) throw new Invalid(this.problems);
  }

  private mayEcho(value: unknown, spec: FieldSpec | undefined): boolean {
    if (spec?.secret) return false;
    return !this.hasSecrets || (spec !== undefined && (typeof value !== 'object' || value === null));
  }
}

/** The fault of an unknown field, which suggests the nearest known name. */
function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== undefined) return `Extra inputs are not permitted: did you mean "${near}"?`;
  if (known.length === 0) return 'Extra inputs are not permitted: none is taken here';
  return `Extra inputs are not permitted: there are ${known.join(', ')}`;
}

/** Throws `Invalid` for query parameters that are not among the known ones. */
export function readNames(values: Fields, known: ReadonlySet<string>, location: string): void {
  const walk = new Walk(location, true, false, false);
  walk.refuseUnknown(values, known);
  if (walk.problems.length > 0) throw new Invalid(walk.problems);
}

/**
 * Reads `value` as `shape` in one walk: parsed, checked, with defaults; throws `Invalid` with at most `maxFaults`
 * problems.
 */
export function readShape<T extends object>(
  shape: new () => T,
  value: unknown,
  location: string,
  { strict = false, textual = location === 'query' || location === 'path' }: Reading = {},
): T {
  assertBounded(shape);
  if (value === undefined || value === null) {
    throw new Invalid([{ loc: [location], type: 'missing', msg: 'Field required' }]);
  }
  const walk = new Walk(location, strict, holdsSecrets(shape), textual);
  let fields: Fields = {};
  if (isFields(value)) fields = walk.fields(value, shape);
  else walk.note(notAnObject, value);
  if (walk.problems.length > 0) throw new Invalid(walk.problems);
  return fields as T;
}

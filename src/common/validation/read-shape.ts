import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { Invalid, type ValidationProblem } from '../errors/invalid.js';
import { type Fault, faultOf, textFault } from './check-value.js';
import { type FieldSpec, fieldSpecsOf, type ListSpec, type ShapeClass } from './field-spec.js';
import { parseText } from './parse-text.js';
import { sealed } from './sealed.js';
import { fits, isFields, settled } from './settle.js';

const echoedLength = 200;
const notAnObject: Fault = { type: 'model_attributes_type', msg: 'Input should be a valid object' };

type Fields = Record<string, unknown>;
type Loc = (string | number)[];

/** What an error may echo of a value: scalars alone, shortened; never a secret, never what is no valid text. */
function echo(value: unknown, spec: FieldSpec): { input?: unknown } {
  if (value === undefined || spec.secret || (typeof value === 'object' && value !== null)) return {};
  if (typeof value === 'number' && !Number.isFinite(value)) return {};
  if (typeof value !== 'string') return { input: value };
  if (textFault(value)) return {};
  if (value.length <= echoedLength) return { input: value };
  const characters = Array.from(value.slice(0, 2 * echoedLength + 2));
  return { input: characters.length > echoedLength ? `${characters.slice(0, echoedLength).join('')}…` : value };
}

function placed(loc: Loc, { at, ...fault }: Fault, value: unknown, spec: FieldSpec): ValidationProblem {
  return { loc: at === undefined ? loc : [...loc, at], ...fault, ...echo(value, spec) };
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

/** Query and path values arrive as text: each is read as its field's kind. Of a repeated value the last counts. */
function parseTexts(values: Fields, shape: ShapeClass, location: string, problems: ValidationProblem[]): Fields {
  const parsed: Fields = {};
  for (const [name, spec] of fieldSpecsOf(shape)) {
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    if (given !== undefined && spec.kind === 'list') {
      const list = parseList(given, spec);
      if (Array.isArray(list)) parsed[name] = list;
      else problems.push(placed([location, name], list, undefined, spec));
      continue;
    }
    const text: unknown = Array.isArray(given) ? given.at(-1) : given;
    if (typeof text !== 'string') continue;
    const value = parseText(text, spec);
    if (typeof value === 'object') problems.push(placed([location, name], value, text, spec));
    else parsed[name] = value;
  }
  return parsed;
}

/** The fields that the shape knows, and no other key of the caller's. */
function known(values: Fields, shape: ShapeClass): Fields {
  const kept: Fields = {};
  for (const [name, spec] of fieldSpecsOf(shape)) {
    if (Object.hasOwn(values, name)) kept[name] = knownWithin(values[name], spec);
  }
  return kept;
}

function knownWithin(value: unknown, spec: FieldSpec): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (spec.kind === 'object' && isFields(value)) return known(value, spec.shape());
  if (spec.kind === 'array' && Array.isArray(value)) {
    // class-validator takes a list within a list for more of its entries; it refuses false.
    return value.map((entry: unknown) => (isFields(entry) ? known(entry, spec.shape()) : false));
  }
  if (spec.kind === 'json' || spec.kind === 'list') return sealed(value);
  return Array.isArray(value) ? [] : {};
}

function problemsOf(errors: ValidationError[], loc: Loc): ValidationProblem[] {
  return errors.flatMap((error) => {
    const inList = Array.isArray(error.target);
    const at = [...loc, inList ? Number(error.property) : error.property];
    const spec = fieldSpecsOf((error.target as object).constructor).get(error.property);
    const fault = spec ? faultOf(error.value, spec) : null;
    if (spec && fault) return [placed(at, fault, error.value, spec)];
    return error.children?.length ? problemsOf(error.children, at) : [{ loc: at, ...notAnObject }];
  });
}

/** What is wrong with the fields of an object as `shape`, as class-validator finds it. */
export function problemsIn(shape: new () => object, value: Fields, location: string): ValidationProblem[] {
  const instance = plainToInstance(shape, known(value, shape), {
    excludeExtraneousValues: true,
    exposeUnsetFields: false,
  });
  return problemsOf(validateSync(instance, { forbidUnknownValues: false }), [location]);
}

/**
 * Reads `value` as `shape`: parsed, validated, with defaults; throws `Invalid` with the document's problems. Where
 * nothing is wrong, as nearly always, one walk over the fields tells so, many times faster than class-validator would.
 */
export function readShape<T extends object>(shape: new () => T, value: unknown, location: string): T {
  if (value === undefined || value === null) {
    throw new Invalid([{ loc: [location], type: 'missing', msg: 'Field required' }]);
  }
  if (!isFields(value)) throw new Invalid([{ loc: [location], ...notAnObject }]);
  const problems: ValidationProblem[] = [];
  const textual = location === 'query' || location === 'path';
  const fields = textual ? parseTexts(value, shape, location, problems) : value;
  if (problems.length === 0 && fits(fields, shape)) return settled(fields, shape) as T;
  const unread = new Set(problems.map(({ loc }) => loc[1]));
  problems.push(...problemsIn(shape, fields, location).filter(({ loc }) => !unread.has(loc[1])));
  throw new Invalid(problems);
}

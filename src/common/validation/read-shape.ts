import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { Invalid, type ValidationProblem } from '../errors/invalid.js';
import { type Fault, faultOf, textFault } from './check-value.js';
import { type FieldSpec, fieldSpecsOf, type ListSpec, type ShapeClass } from './field-spec.js';
import { parseText } from './parse-text.js';
import { sealed } from './sealed.js';

const maxId = 2_147_483_647;
const echoedLength = 200;
const notAnObject: Fault = { type: 'model_attributes_type', msg: 'Input should be a valid object' };

type Fields = Record<string, unknown>;
type Loc = (string | number)[];

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** The fields that the shape knows. No other key of the caller's may steer what follows: not `constructor`, not `__proto__`. */
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

function fitted(value: unknown, spec: FieldSpec): unknown {
  if (typeof value !== 'number') return value;
  if (spec.kind === 'id') return value > maxId || value < 0 ? 0 : value;
  if ((spec.kind === 'integer' || spec.kind === 'number') && spec.clamp) {
    return Math.min(spec.max ?? Infinity, Math.max(spec.min ?? -Infinity, value));
  }
  return value;
}

/** Fills in defaults, drops the nulls that count as left out, moves clamped values within their bounds. */
function settle(instance: object): void {
  const fields = instance as Fields;
  for (const [name, spec] of fieldSpecsOf(instance.constructor)) {
    const given = fields[name] === null && spec.nullable === 'ignored' ? undefined : fields[name];
    const value = given === undefined ? structuredClone(spec.default) : fitted(given, spec);
    if (value === undefined) {
      delete fields[name];
      continue;
    }
    fields[name] = value;
    if (given === undefined || given === null) continue;
    if (spec.kind === 'object') settle(given);
    if (spec.kind === 'array') (given as object[]).forEach(settle);
  }
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

/** Reads `value` as `shape`: parsed, validated, with defaults; throws `Invalid` with the document's problems. */
export function readShape<T extends object>(shape: new () => T, value: unknown, location: string): T {
  if (value === undefined || value === null) {
    throw new Invalid([{ loc: [location], type: 'missing', msg: 'Field required' }]);
  }
  if (!isFields(value)) throw new Invalid([{ loc: [location], ...notAnObject }]);
  const problems: ValidationProblem[] = [];
  const textual = location === 'query' || location === 'path';
  const plain = textual ? parseTexts(value, shape, location, problems) : known(value, shape);
  const instance = plainToInstance(shape, plain, { excludeExtraneousValues: true, exposeUnsetFields: false });
  const unread = new Set(problems.map(({ loc }) => loc[1]));
  const errors = validateSync(instance, { forbidUnknownValues: false });
  problems.push(...problemsOf(errors, [location]).filter(({ loc }) => !unread.has(loc[1])));
  if (problems.length > 0) throw new Invalid(problems);
  settle(instance);
  return instance;
}

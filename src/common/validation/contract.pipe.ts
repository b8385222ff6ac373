import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { Invalid, type ValidationProblem } from '../errors/invalid.js';
import { type Fault, faultOf, textFault } from './check-value.js';
import { type FieldSpec, fieldSpecsOf } from './field-spec.js';
import { parseText } from './parse-text.js';

const maxId = 2_147_483_647;
const echoedLength = 200;
const locations = { body: 'body', query: 'query', param: 'path', custom: 'header' } as const;

type Fields = Record<string, unknown>;
type Loc = (string | number)[];

/** What an error may echo of a value: scalars alone, shortened; never a secret. */
function echo(value: unknown, spec: FieldSpec | undefined): { input?: unknown } {
  if (value === undefined || spec?.secret || (typeof value === 'object' && value !== null)) return {};
  if (typeof value !== 'string') return { input: value };
  return { input: value.length > echoedLength ? `${value.slice(0, echoedLength)}…` : value };
}

function problem(loc: Loc, fault: Fault, value: unknown, spec?: FieldSpec): ValidationProblem {
  return { loc, ...fault, ...echo(typeof value === 'string' && textFault(value) ? undefined : value, spec) };
}

/** Query and path values arrive as text: each is read as its field's kind. Of a repeated value the last counts. */
function parseTexts(values: Fields, specs: ReadonlyMap<string, FieldSpec>, location: string): Fields {
  const problems: ValidationProblem[] = [];
  const parsed: Fields = {};
  for (const [name, spec] of specs) {
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    const text = Array.isArray(given) ? given.at(-1) : given;
    if (typeof text !== 'string') continue;
    const value = parseText(text, spec);
    if (typeof value === 'object') problems.push(problem([location, name], value as Fault, text, spec));
    else parsed[name] = value;
  }
  if (problems.length > 0) throw new Invalid(problems);
  return parsed;
}

function fitted(value: unknown, spec: FieldSpec): unknown {
  if (spec.kind === 'id') return typeof value === 'number' && (value > maxId || value < 0) ? 0 : value;
  if ((spec.kind === 'integer' || spec.kind === 'number') && spec.clamp && typeof value === 'number') {
    return Math.min(spec.max ?? Infinity, Math.max(spec.min ?? -Infinity, value));
  }
  return value;
}

/** Fills in defaults, drops the nulls that count as left out, moves clamped values within their bounds. */
function settle(instance: object): void {
  const fields = instance as Fields;
  for (const [name, spec] of fieldSpecsOf(instance.constructor)) {
    const value = fields[name];
    if (value === null && spec.nullable === 'ignored') delete fields[name];
    else if (value === undefined && spec.default !== undefined) fields[name] = spec.default;
    else fields[name] = fitted(value, spec);
    const settled = fields[name];
    if (settled === undefined) delete fields[name];
    else if (spec.kind === 'object' && settled !== null) settle(settled as object);
    else if (spec.kind === 'array' && settled !== null) (settled as object[]).forEach(settle);
  }
}

function problemsOf(errors: ValidationError[], loc: Loc): ValidationProblem[] {
  return errors.flatMap((error) => {
    const spec = fieldSpecsOf((error.target as object).constructor).get(error.property);
    const at = [...loc, Array.isArray(error.target) ? Number(error.property) : error.property];
    const fault = spec ? faultOf(error.value, spec) : null;
    if (fault) return [problem(at, fault, error.value, spec)];
    if (error.children?.length) return problemsOf(error.children, at);
    return [problem(at, { type: 'model_attributes_type', msg: 'Input should be a valid object' }, error.value)];
  });
}

/** Reads `value` as `shape`: parsed, validated, with defaults; throws `Invalid` with the document's problems. */
export function readShape<T extends object>(shape: new () => T, value: unknown, location: string): T {
  if (value === undefined || value === null) {
    throw new Invalid([{ loc: [location], msg: 'Field required', type: 'missing' }]);
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Invalid([{ loc: [location], msg: 'Input should be a valid object', type: 'model_attributes_type' }]);
  }
  const textual = location === 'query' || location === 'path';
  const plain = textual ? parseTexts(value as Fields, fieldSpecsOf(shape), location) : value;
  const instance = plainToInstance(shape, plain, { excludeExtraneousValues: true, exposeUnsetFields: false });
  const errors = validateSync(instance, { forbidUnknownValues: false });
  if (errors.length > 0) throw new Invalid(problemsOf(errors, [location]));
  settle(instance);
  return instance;
}

/** Reads every argument of a handler that is typed as a shape; other arguments pass. */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!metatype || type === 'custom' || fieldSpecsOf(metatype).size === 0) return value;
    return readShape(metatype as unknown as new () => object, value, locations[type]);
  }
}

import type { ValidationError } from '@nestjs/common';
import { echoed } from '../errors/echo.js';
import { Invalid, type ValidationProblem } from '../errors/invalid.js';
import { faultOf, isFields, notAnObject } from './check-value.js';
import { fieldNamesOf, fieldSpecsOf, requestDto } from './dto.js';
import { type Fault, Unreadable } from './fault.js';
import type { DtoClass, FieldSpec } from './field-spec.js';
import { nearestName } from './nearest-name.js';

/** The most faults that are named. */
export const maxFaults = 50;
const maxNamedLength = 100;

type Fields = Record<string, unknown>;

/** The fault of an unknown field, which suggests the nearest known name. */
function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== undefined) return `Extra inputs are not permitted: did you mean "${near}"?`;
  if (known.length === 0) return 'Extra inputs are not permitted: none is taken here';
  return `Extra inputs are not permitted: there are ${known.join(', ')}`;
}

/** The fault that a decorator of class-validator which is none of ours found. */
function otherFault({ constraints }: ValidationError): Fault {
  return { type: 'value_error', msg: Object.values(constraints ?? {})[0] ?? 'Input should be valid' };
}

/** Gathers what is wrong with a value, each at its place; throws `Invalid` with all of it at the maximum. */
class Problems {
  readonly found: ValidationProblem[] = [];
  private readonly loc: (string | number)[];

  constructor(
    location: string,
    private readonly strict: boolean,
    /** A caller who mixes fields up may send a secret anywhere: if the DTO has secrets, no list or object is echoed. */
    private readonly hasSecrets: boolean,
  ) {
    this.loc = [location];
  }

  /** Names what class-validator found in the fields of a DTO, in their order; then, where reading is strict, unknown ones. */
  fields(dto: DtoClass, sent: Fields, errors: readonly ValidationError[]): void {
    const specs = fieldSpecsOf(dto);
    const byName = new Map(errors.map((error) => [error.property, error]));
    for (const [name, spec] of specs) {
      const error = byName.get(name);
      if (error || this.strict) this.at(name, () => this.field(sent, name, spec, error));
    }
    for (const error of errors) {
      if (!specs.has(error.property)) this.at(error.property, () => this.note(otherFault(error), error.value));
    }
    if (this.strict) this.refuseUnknown(sent, fieldNamesOf(dto));
  }

  private field(sent: Fields, name: string, spec: FieldSpec, error: ValidationError | undefined): void {
    if (error?.constraints) {
      const value: unknown = error.value;
      const shown = value instanceof Unreadable ? value.text : value;
      return this.note(faultOf(value, spec) ?? otherFault(error), shown, spec);
    }
    const within = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const errors = error?.children ?? [];
    if (spec.kind === 'object' && isFields(within)) this.fields(spec.dto(), within, errors);
    if (spec.kind === 'array' && Array.isArray(within)) this.entries(spec.dto(), within, errors);
  }

  private entries(dto: DtoClass, sent: unknown[], errors: readonly ValidationError[]): void {
    const byIndex = new Map(errors.map(({ property, children }) => [property, children]));
    for (const [index, entry] of sent.entries()) {
      this.at(index, () => {
        if (isFields(entry)) this.fields(dto, entry, byIndex.get(String(index)) ?? []);
        else this.note(notAnObject, entry);
      });
    }
  }

  private at(step: string | number, work: () => void): void {
    this.loc.push(step);
    work();
    this.loc.pop();
  }

  /** Names every field that is not among the known ones. */
  refuseUnknown(sent: Fields, known: ReadonlySet<string>): void {
    for (const name in sent) {
      if (known.has(name) || !Object.hasOwn(sent, name)) continue;
      this.at(name.slice(0, maxNamedLength).toWellFormed(), () =>
        this.note({ type: 'extra_forbidden', msg: unknownField(name, [...known]) }, sent[name]),
      );
    }
  }

  /** Names a fault at the current place. */
  note({ at, ...fault }: Fault, value: unknown, spec?: FieldSpec): void {
    const shown = this.mayEcho(value, spec) ? echoed(value) : undefined;
    const loc = at === undefined ? [...this.loc] : [...this.loc, at];
    this.found.push({ loc, ...fault, ...(shown === undefined ? {} : { input: shown }) });
    if (this.found.length >= maxFaults) this.throwFound();
  }

  private mayEcho(value: unknown, spec: FieldSpec | undefined): boolean {
    if (spec?.secret) return false;
    return !this.hasSecrets || (spec !== undefined && (typeof value !== 'object' || value === null));
  }

  throwFound(): void {
    if (this.found.length > 0) throw new Invalid(this.found);
  }
}

/** The location of a value in the request, and whether fields that its DTO does not know are refused, at any depth. */
export interface Place {
  location: string;
  strict: boolean;
}

/** Throws `Invalid` for what class-validator found in the fields that were sent as a DTO, and for unknown ones. */
export function refuseProblems(
  dto: DtoClass,
  sent: Fields,
  errors: readonly ValidationError[],
  { location, strict }: Place,
): void {
  if (errors.length === 0 && !strict) return;
  const problems = new Problems(location, strict, requestDto(dto).hasSecrets);
  problems.fields(dto, sent, errors);
  problems.throwFound();
}

/** A sent value as fields; throws `Invalid` for one that is missing or no object. */
export function assertFields(dto: DtoClass, value: unknown, location: string): Fields {
  const { hasSecrets } = requestDto(dto);
  if (value === undefined || value === null) {
    throw new Invalid([{ loc: [location], type: 'missing', msg: 'Field required' }]);
  }
  if (isFields(value)) return value;
  const problems = new Problems(location, false, hasSecrets);
  problems.note(notAnObject, value);
  throw new Invalid(problems.found);
}

/** Throws `Invalid` for query parameters that are not among the known ones. */
export function refuseUnknownNames(sent: Fields, known: ReadonlySet<string>, location: string): void {
  const problems = new Problems(location, true, false);
  problems.refuseUnknown(sent, known);
  problems.throwFound();
}

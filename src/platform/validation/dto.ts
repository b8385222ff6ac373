import {
  getMetadataStorage,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { faultOf } from './check-value.js';
import type { DtoClass, FieldSpec } from './field-spec.js';

/** Checks a field by its spec, which class-validator keeps as its constraint. */
@ValidatorConstraint({ name: 'field' })
export class FieldCheck implements ValidatorConstraintInterface {
  validate(value: unknown, args?: ValidationArguments): boolean {
    return faultOf(value, args?.constraints[0] as FieldSpec) === null;
  }

  defaultMessage({ value, constraints }: ValidationArguments): string {
    return faultOf(value, constraints[0] as FieldSpec)?.msg ?? '';
  }
}

/**
 * The conditions on which class-validator checks an object or a list of them. Each such field has one, since it would inherit
 * that of the field it overrides.
 */
export const isNotNull = (_dto: object, value: unknown): boolean => value !== null;
export const isAnything = (): boolean => true;

interface Described {
  specs: ReadonlyMap<string, FieldSpec>;
  names: ReadonlySet<string>;
  /** No decorator of class-validator stands on its fields but those of `fields.ts`. */
  isOurs: boolean;
}

const described = new WeakMap<object, Described>();

function describe(dto: Function): Described {
  const remembered = described.get(dto);
  if (remembered) return remembered;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const checks = rules.filter(({ constraintCls }) => constraintCls === FieldCheck);
  const own = checks
    .filter(({ target }) => target === dto)
    .map(({ propertyName, constraints }) => [propertyName, constraints[0] as FieldSpec] as const);
  const parent = Object.getPrototypeOf(dto) as Function | null;
  const inherited = parent === null || parent === Function.prototype ? [] : describe(parent).specs;
  const specs = new Map([...inherited, ...own]);
  const all = {
    specs,
    names: new Set([...specs.keys(), ...rules.map(({ propertyName }) => propertyName)]),
    isOurs: rules.every(
      ({ constraintCls, type, constraints }) =>
        constraintCls === FieldCheck ||
        type === 'nestedValidation' ||
        [isNotNull, isAnything].includes(constraints?.[0] as () => boolean),
    ),
  };
  described.set(dto, all);
  return all;
}

/** The specs of a DTO's fields, inherited ones included, by field name. */
export function fieldSpecsOf(dto: Function): ReadonlyMap<string, FieldSpec> {
  return describe(dto).specs;
}

/** The names of all fields that class-validator knows, whoever's decorators they carry. */
export function fieldNamesOf(dto: Function): ReadonlySet<string> {
  return describe(dto).names;
}

/** Adds the classes that a DTO consists of, itself included. */
function addParts(dto: DtoClass, parts: Set<DtoClass>): ReadonlySet<DtoClass> {
  if (parts.has(dto)) return parts;
  parts.add(dto);
  for (const spec of fieldSpecsOf(dto).values()) {
    if (spec.kind === 'object' || spec.kind === 'array') addParts(spec.dto(), parts);
  }
  return parts;
}

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

/** What is known of a DTO of requests, its parts included. */
export interface RequestDto {
  hasSecrets: boolean;
  /** Its fields carry no decorators of class-validator but those of `fields.ts`. */
  isOurs: boolean;
}

const ofRequests = new WeakMap<DtoClass, RequestDto>();

/** Throws where a caller could send something without a bound; looks at each DTO once. */
export function requestDto(dto: DtoClass): RequestDto {
  const remembered = ofRequests.get(dto);
  if (remembered) return remembered;
  const known: RequestDto = { hasSecrets: false, isOurs: true };
  for (const part of addParts(dto, new Set())) {
    const { specs, isOurs } = describe(part);
    known.isOurs &&= isOurs;
    for (const [name, spec] of specs) {
      known.hasSecrets ||= spec.secret === true;
      const missing = missingBound(spec);
      if (missing !== null) throw new Error(`${part.name}.${name} is read from requests and has no ${missing}`);
    }
  }
  ofRequests.set(dto, known);
  return known;
}

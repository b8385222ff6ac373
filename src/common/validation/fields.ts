import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { faultOf } from './check-value.js';
import {
  addFieldSpec,
  type ArraySpec,
  type BooleanSpec,
  type EnumSpec,
  type FieldSpec,
  type IdSpec,
  type JsonSpec,
  type ListSpec,
  type NumberSpec,
  type ObjectSpec,
  type ShapeClass,
  type StringSpec,
} from './field-spec.js';
import { unsealed } from './sealed.js';

type Options<S extends FieldSpec> = Omit<S, 'kind' | 'values' | 'shape'>;

/** The generator knows a lazy type by its function's name, which must be `type`. */
function lazily(shape: () => ShapeClass): { type: () => ShapeClass } {
  const type = () => shape();
  return { type };
}

function schemaOf(spec: FieldSpec): Record<string, unknown> {
  switch (spec.kind) {
    case 'string': {
      const { format, minLength, maxLength, pattern } = spec;
      return { type: 'string', format, minLength, maxLength, pattern: pattern?.source };
    }
    case 'integer':
    case 'number':
      return {
        type: spec.kind,
        ...(spec.clamp ? {} : { minimum: spec.min, maximum: spec.max, exclusiveMinimum: spec.above }),
      };
    case 'id':
      return { type: 'integer' };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { type: 'string', enum: [...spec.values] };
    case 'list':
      return { type: 'array', items: schemaOf(spec.item), minItems: spec.minItems, maxItems: spec.maxItems };
    case 'json':
      return { type: 'object', additionalProperties: true };
    case 'object':
      return lazily(spec.shape);
    default:
      return { ...lazily(spec.shape), isArray: true };
  }
}

function documented(spec: FieldSpec): ApiPropertyOptions {
  const { description, example, optional, nullable } = spec;
  const all = {
    ...schemaOf(spec),
    description,
    example,
    default: spec.default,
    required: !optional,
    nullable: nullable ? true : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ApiPropertyOptions;
}

/** One field of a shape: its spec drives the validation of requests and the OpenAPI document alike. */
function field(spec: FieldSpec): PropertyDecorator {
  const whole: FieldSpec = spec.default === undefined ? spec : { ...spec, optional: true };
  const nested = whole.kind === 'object' || whole.kind === 'array' ? [ValidateNested(), Type(whole.shape)] : [];
  // ValidateNested takes no null, whatever the field does.
  const nullable = whole.nullable ? [ValidateIf((_shape: object, value: unknown) => value !== null)] : [];
  return applyDecorators(
    (target: object, name: string | symbol) => addFieldSpec(target.constructor, String(name), whole),
    Expose(),
    ApiProperty(documented(whole)),
    ValidateBy({ name: 'field', validator: { validate: (value) => faultOf(value, whole) === null } }),
    ...nested,
    ...nullable,
    ...(whole.kind === 'json' || whole.kind === 'list' ? [Transform(unsealed)] : []),
  );
}

export const StringField = (options: Options<StringSpec> = {}) => field({ kind: 'string', ...options });
export const IntegerField = (options: Options<NumberSpec> = {}) => field({ kind: 'integer', ...options });
export const NumberField = (options: Options<NumberSpec> = {}) => field({ kind: 'number', ...options });
export const IdField = (options: Options<IdSpec> = {}) => field({ kind: 'id', ...options });
export const BooleanField = (options: Options<BooleanSpec> = {}) => field({ kind: 'boolean', ...options });
export const EnumField = (values: readonly string[], options: Options<EnumSpec> = {}) =>
  field({ kind: 'enum', values, ...options });
export const ObjectField = (shape: ObjectSpec['shape'], options: Options<ObjectSpec> = {}) =>
  field({ kind: 'object', shape, ...options });
export const ArrayField = (shape: ArraySpec['shape'], options: Options<ArraySpec> = {}) =>
  field({ kind: 'array', shape, ...options });
export const ListField = (item: ListSpec['item'], options: Omit<Options<ListSpec>, 'item'> = {}) =>
  field({ kind: 'list', item, ...options });
export const UuidListField = (options: Omit<Options<ListSpec>, 'item'> = {}) =>
  ListField({ kind: 'string', format: 'uuid' }, options);
export const EnumListField = (values: readonly string[], options: Omit<Options<ListSpec>, 'item'> = {}) =>
  ListField({ kind: 'enum', values }, options);
export const JsonField = (options: Options<JsonSpec> = {}) => field({ kind: 'json', ...options });
export const UuidField = (options: Options<StringSpec> = {}) => StringField({ format: 'uuid', ...options });
export const DateTimeField = (options: Options<StringSpec> = {}) => StringField({ format: 'date-time', ...options });

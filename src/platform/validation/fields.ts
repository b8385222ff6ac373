import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, plainToInstance, Transform, Type } from 'class-transformer';
import { Validate, ValidateIf, ValidateNested } from 'class-validator';
import { FieldCheck, isAnything, isNotNull } from './dto.js';
import {
  type ArraySpec,
  type BooleanSpec,
  type DtoClass,
  type EnumSpec,
  type FieldSpec,
  type IdSpec,
  type JsonBounds,
  type JsonSpec,
  type ListSpec,
  type NumberSpec,
  type ObjectSpec,
  patternText,
  type StringSpec,
} from './field-spec.js';
import { fieldValue } from './field-value.js';

/** Marks a property that every answer has, although a request may leave it out. */
export const alwaysAnswered = 'x-always-answered';

type Options<S extends FieldSpec> = Omit<S, 'kind' | 'values' | 'dto'>;
type JsonOptions = Omit<Options<JsonSpec>, 'bounds'> & { bounds?: Partial<JsonBounds> | 'none' };

/** The generator knows a lazy type by its function's name, which must be `type`. */
function lazily(dto: () => DtoClass): { type: () => DtoClass } {
  const type = () => dto();
  return { type };
}

/** The bounds of a free object as far as JSON Schema knows them; the others are in `jsonWords`. */
function jsonSchemaOf({ maxProperties, maxKeyLength }: JsonBounds): Record<string, unknown> {
  return { maxProperties, propertyNames: { maxLength: maxKeyLength } };
}

function jsonWords({ maxProperties, maxEntries, maxTextLength, maxDepth, maxBytes }: JsonBounds): string {
  return (
    `At most ${maxProperties} properties or entries in each object and list, ${maxEntries} in all, ${maxDepth} levels ` +
    `deep, ${maxTextLength} characters in each text, ${maxBytes} bytes of names and texts in all`
  );
}

function schemaOf(spec: FieldSpec): Record<string, unknown> {
  switch (spec.kind) {
    case 'string': {
      const { format, minLength, maxLength, pattern } = spec;
      return { type: 'string', format, minLength, maxLength, pattern: pattern && patternText(pattern) };
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
      return { type: 'object', additionalProperties: true, ...(spec.bounds && jsonSchemaOf(spec.bounds)) };
    case 'object':
      return lazily(spec.dto);
    default:
      return { ...lazily(spec.dto), isArray: true, minItems: spec.minItems, maxItems: spec.maxItems };
  }
}

function documented(spec: FieldSpec): ApiPropertyOptions {
  const { example, optional, nullable } = spec;
  const words = [spec.description, spec.kind === 'json' && spec.bounds ? jsonWords(spec.bounds) : undefined];
  const description = words.filter((one) => one !== undefined).join('. ') || undefined;
  const all = {
    ...schemaOf(spec),
    description,
    example,
    default: spec.default,
    required: !optional,
    nullable: nullable ? true : undefined,
    [alwaysAnswered]: spec.default !== undefined && !spec.leftOut ? true : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ApiPropertyOptions;
}

/** The type of every field for class-transformer, which then copies nothing of a value: the field takes it as it was sent. */
class AsSent {}

/** One field of a DTO: its spec is what class-transformer reads, class-validator checks and the interface description says. */
function field(spec: FieldSpec): PropertyDecorator {
  const whole: FieldSpec = spec.default === undefined ? spec : { ...spec, optional: true };
  const holdsDtos = whole.kind === 'object' || whole.kind === 'array';
  return applyDecorators(
    ApiProperty(documented(whole)),
    Expose(),
    Type(() => AsSent),
    Transform(
      ({ obj, key, options }) =>
        fieldValue(obj as object, key, whole, (dto, fields) => plainToInstance(dto, fields, options)),
      { toClassOnly: true },
    ),
    Validate(FieldCheck, [whole]),
    ...(holdsDtos ? [ValidateNested(), ValidateIf(whole.nullable === true ? isNotNull : isAnything)] : []),
  );
}

/** The bounds of a free object whose field names none. */
const jsonBounds: JsonBounds = {
  maxProperties: 500,
  maxEntries: 2_000,
  maxKeyLength: 256,
  maxTextLength: 16_384,
  maxDepth: 16,
  maxBytes: 65_536,
};

/*
 * A DTO is a class whose fields carry these decorators. A DTO of requests bounds everything that a caller can send;
 * otherwise it is refused when it is first read (`dto.ts`) and by test/architecture:
 * - texts have a `maxLength` (`UuidField`, `DateTimeField`, enums and the format `email` have one of their own),
 * - `ArrayField` and `ListField` have `maxItems` (by default 100 for enum lists, 1,000 for UUID lists),
 * - a `JsonField` has `jsonBounds`, or what it sets of them: `bounds: { maxBytes: 8_192 }`,
 * - integers that go into a column have its `min` and `max`.
 * DTOs of answers need none: their `JsonField` says `bounds: 'none'`, so that the interface description promises nothing.
 * A field that is a secret says `secret`, and no refusal repeats it.
 * Other decorators of class-validator may stand beside these; a field that has only others needs `@Expose()` as well.
 */

// RFC 5321, section 4.5.3.1.3, less the brackets.
const maxEmail = 254;

export const StringField = (options: Options<StringSpec> = {}) =>
  field({ kind: 'string', ...(options.format === 'email' ? { maxLength: maxEmail } : {}), ...options });
export const IntegerField = (options: Options<NumberSpec> = {}) => field({ kind: 'integer', ...options });
export const NumberField = (options: Options<NumberSpec> = {}) => field({ kind: 'number', ...options });
export const IdField = (options: Options<IdSpec> = {}) => field({ kind: 'id', ...options });
export const BooleanField = (options: Options<BooleanSpec> = {}) => field({ kind: 'boolean', ...options });
export const EnumField = (values: readonly string[], options: Options<EnumSpec> = {}) =>
  field({ kind: 'enum', values, ...options });
export const ObjectField = (dto: ObjectSpec['dto'], options: Options<ObjectSpec> = {}) =>
  field({ kind: 'object', dto, ...options });
export const ArrayField = (dto: ArraySpec['dto'], options: Options<ArraySpec> = {}) =>
  field({ kind: 'array', dto, ...options });
export const ListField = (item: ListSpec['item'], options: Omit<Options<ListSpec>, 'item'> = {}) =>
  field({ kind: 'list', item, ...options });
export const UuidListField = (options: Omit<Options<ListSpec>, 'item'> = {}) =>
  ListField({ kind: 'string', format: 'uuid' }, { maxItems: 1_000, ...options });
export const EnumListField = (values: readonly string[], options: Omit<Options<ListSpec>, 'item'> = {}) =>
  ListField({ kind: 'enum', values }, { maxItems: 100, ...options });
export const JsonField = ({ bounds = {}, ...options }: JsonOptions = {}) =>
  field({ kind: 'json', ...options, ...(bounds === 'none' ? {} : { bounds: { ...jsonBounds, ...bounds } }) });
export const UuidField = (options: Options<StringSpec> = {}) => StringField({ format: 'uuid', ...options });
export const DateTimeField = (options: Options<StringSpec> = {}) => StringField({ format: 'date-time', ...options });

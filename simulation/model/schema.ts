import { fieldsOf, type Fields } from './values.js';

/** What the interface description says of a value: the part of JSON Schema that it uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  nullable?: boolean;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
  format?: string;
}

const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

/** What is wrong with a value, each with its place; empty where it is as described. */
export function faultsOf(value: unknown, schema: Schema, description: Fields, place = 'the body'): string[] {
  if (schema.$ref !== undefined) {
    const found = schema.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((part, name) => fieldsOf(part)[name], description);
    return faultsOf(value, fieldsOf(found), description, place);
  }
  if (value === null && schema.nullable === true) return [];
  const faultsBy = (other: Schema) => faultsOf(value, other, description, place);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives && !alternatives.some((one) => faultsBy(one).length === 0)) {
    return [`${place} is ${JSON.stringify(value)?.slice(0, 200)}, which is none of its ${alternatives.length} forms`];
  }
  const faults = (schema.allOf ?? []).flatMap(faultsBy);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number'))) {
    return [
      ...faults,
      `${place} should be ${types.join(' or ')}, and is ${JSON.stringify(value)?.slice(0, 200) ?? 'absent'}`,
    ];
  }
  if (schema.enum && !schema.enum.includes(value))
    faults.push(`${place} should be one of ${schema.enum.join(', ')}, and is ${JSON.stringify(value)}`);
  if (typeof value === 'number' && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))) {
    faults.push(`${place} should be from ${schema.minimum ?? 'any'} to ${schema.maximum ?? 'any'}, and is ${value}`);
  }
  if (typeof value === 'string') {
    if (value.length > (schema.maxLength ?? Infinity))
      faults.push(`${place} has ${value.length} characters of ${schema.maxLength}`);
    if (formats[schema.format ?? '']?.test(value) === false)
      faults.push(`${place} should be a ${schema.format}, and is ${value}`);
  }
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Infinity))
      faults.push(`${place} has ${value.length} elements of ${schema.maxItems}`);
    const { items } = schema;
    if (items) faults.push(...value.flatMap((one, at) => faultsOf(one, items, description, `${place}[${at}]`)));
  } else if (type === 'object') {
    const fields = fieldsOf(value);
    for (const name of schema.required ?? []) if (!(name in fields)) faults.push(`${place} lacks ${name}`);
    for (const [name, part] of Object.entries(fields)) {
      const described =
        schema.properties?.[name] ??
        (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
      if (described) faults.push(...faultsOf(part, described, description, `${place}.${name}`));
    }
  }
  return faults;
}

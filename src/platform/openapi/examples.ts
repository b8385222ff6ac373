import { type Json, nameOf, type Operation, type Schema } from './document.js';

/** Example values by format, for fields without an example. */
const ofFormat: Record<string, unknown> = {
  uuid: '0199a001-7c3e-7000-8000-3f2a1b0c9d8e',
  'date-time': '2026-11-22T09:30:00.000Z',
  email: 'maria@example.com',
};
const maxDepth = 20;

function typeOf({ type }: Schema): string | undefined {
  return Array.isArray(type) ? type[0] : type;
}

function isNullable({ type, anyOf }: Schema): boolean {
  return Array.isArray(type) ? type.includes('null') : (anyOf?.some((one) => one.type === 'null') ?? false);
}

/** Whether a field itself says that it belongs to the example of its body. */
function hasExample(schema: Schema): boolean {
  return schema.example !== undefined || (schema.anyOf ?? schema.allOf ?? []).some((one) => one.example !== undefined);
}

/** A body of one object a line. */
function linesOf(example: unknown[]): { schema: Schema; example: string } {
  const lines = example.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return { schema: { type: 'string', description: 'One object a line' }, example: lines };
}

/**
 * Composes examples of bodies from those of their fields. A request has its required fields, and those with an example; an
 * answer has everything.
 */
export class Examples {
  /** The fields that an example needs and that lack one: "Product.name". */
  readonly lacking = new Set<string>();

  constructor(private readonly schemas: Record<string, Schema>) {}

  /** Gives each body and parameter of an operation an example; `given` holds those that the route itself names. */
  addTo(operation: Operation, given: Json): void {
    for (const parameter of operation.parameters ?? []) {
      const { example: own, ...schema } = parameter.schema ?? {};
      const example = given[parameter.name] ?? parameter.example ?? own;
      if (parameter.schema) parameter.schema = schema;
      if (example !== undefined) parameter.example = example;
      else if (parameter.required) parameter.example = this.of(schema, `the parameter ${parameter.name}`, true);
    }
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
      if (type === 'text/csv') media.example = given['body'];
      if (!type.endsWith('json')) continue;
      const example = given['body'] ?? media.example ?? this.of(media.schema ?? {}, 'the body', true);
      if (type === 'application/x-ndjson' && Array.isArray(example)) Object.assign(media, linesOf(example));
      else if (type !== 'application/x-ndjson') media.example = example;
    }
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const csv = content?.['text/csv'];
      if (csv && status < '300') csv.example = given['answer'];
      const media = content?.['application/json'];
      if (media && status < '300') media.example = given['answer'] ?? this.of(media.schema ?? {}, 'the answer', false);
    }
  }

  private of(schema: Schema, place: string, sent: boolean, depth = 0): unknown {
    if (schema.example !== undefined) return schema.example;
    if (depth > maxDepth) return null;
    const name = nameOf(schema.$ref);
    if (name !== undefined) return this.of(this.schemas[name] ?? {}, name, sent, depth + 1);
    const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
    if (choice) return this.of(choice, place, sent, depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => this.of(part, place, sent, depth)));
    if (schema.default !== undefined) return schema.default;
    if (schema.enum) return schema.enum[0];
    return this.ofType(schema, place, sent, depth);
  }

  private ofType(schema: Schema, place: string, sent: boolean, depth: number): unknown {
    switch (typeOf(schema)) {
      case 'object':
        return this.ofObject(schema, place, sent, depth);
      case 'array':
        return schema.items ? [this.of(schema.items, place, sent, depth + 1)] : [];
      case 'boolean':
        return true;
      case 'integer':
        return schema.minimum ?? 1;
      default:
        return this.ofText(schema, place);
    }
  }

  private ofObject({ properties = {}, required = [] }: Schema, place: string, sent: boolean, depth: number): Json {
    const shown = Object.entries(properties).filter(
      ([name, one]) => !sent || required.includes(name) || hasExample(one),
    );
    return Object.fromEntries(shown.map(([name, one]) => [name, this.of(one, `${place}.${name}`, sent, depth + 1)]));
  }

  private ofText(schema: Schema, place: string): unknown {
    const known = ofFormat[schema.format ?? ''];
    if (known !== undefined) return known;
    if (isNullable(schema)) return null;
    this.lacking.add(place);
    return typeOf(schema) === 'number' ? (schema.minimum ?? 1) : 'text';
  }
}

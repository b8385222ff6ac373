import { alwaysAnswered } from '../validation/fields.js';
import { type Json, nameOf, type Operation, type Paths, refTo, type Schema } from './document.js';

type Schemas = Record<string, Schema>;

function isObject(node: unknown): node is Json {
  return typeof node === 'object' && node !== null;
}

function refsIn(node: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(node)) for (const entry of node) refsIn(entry, found);
  else if (isObject(node)) {
    const name = nameOf(node['$ref']);
    if (name !== undefined) found.add(name);
    for (const value of Object.values(node)) refsIn(value, found);
  }
  return found;
}

/** The schemas that are reachable from here, also through others. */
function reachable(from: unknown, schemas: Schemas): Set<string> {
  const found = refsIn(from);
  for (const name of found) for (const next of refsIn(schemas[name])) found.add(next);
  return found;
}

function mapped(node: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(node)) return node.map((entry) => mapped(entry, change));
  if (!isObject(node)) return node;
  return change(Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapped(value, change)])));
}

function withoutMark(schema: Json): Json {
  delete schema[alwaysAnswered];
  return schema;
}

/** The schema of answers: fields with a default are required. */
function answered(schema: Schema): Schema {
  const marked = Object.entries(schema.properties ?? {}).filter(([, property]) => property[alwaysAnswered]);
  if (marked.length === 0) return schema;
  const required = new Set([...(schema.required ?? []), ...marked.map(([name]) => name)]);
  return { ...schema, required: Object.keys(schema.properties ?? {}).filter((name) => required.has(name)) };
}

/** The schemas that differ between requests and answers: those with a default, and those that hold such a one. */
function differing(sent: Set<string>, answers: Set<string>, schemas: Schemas): Set<string> {
  const differs = (name: string) => Object.values(schemas[name]?.properties ?? {}).some((one) => one[alwaysAnswered]);
  const both = [...sent].filter((name) => answers.has(name));
  return new Set(both.filter((name) => differs(name) || [...reachable(schemas[name], schemas)].some(differs)));
}

/**
 * Separates requests from answers: a field with a default is optional in requests and required in answers. Where one
 * schema serves both, requests refer to a second one, whose name ends with "Input".
 */
export function withDirections(paths: Paths, schemas: Schemas): { paths: Paths; schemas: Schemas } {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const sent = reachable(
    operations.map(({ requestBody, parameters }: Operation) => [requestBody, parameters]),
    schemas,
  );
  const answers = reachable(
    operations.map(({ responses }) => responses),
    schemas,
  );
  const twofold = differing(sent, answers, schemas);
  const inputName = (name: string) => (twofold.has(name) ? `${name}Input` : name);
  const asSent = (node: Json): Json => {
    const name = nameOf(node['$ref']);
    return withoutMark(name === undefined ? node : { ...node, ...refTo(inputName(name)) });
  };
  const result: Schemas = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (answers.has(name)) result[name] = mapped(answered(schema), withoutMark) as Schema;
    else if (!sent.has(name)) result[name] = mapped(schema, withoutMark) as Schema;
    if (sent.has(name)) result[inputName(name)] ??= mapped(schema, asSent) as Schema;
  }
  for (const operation of operations) {
    if (operation.requestBody) operation.requestBody = mapped(operation.requestBody, asSent) as never;
    if (operation.parameters) operation.parameters = mapped(operation.parameters, withoutMark) as never;
  }
  return { paths, schemas: result };
}

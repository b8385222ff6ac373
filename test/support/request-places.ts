import type { Operation, Schema } from './operations.js';

/** A step into a value: a property, or the entries of a list. */
export type Step = string | typeof entries;
export const entries = Symbol('entries');

/** A place in a request body, or a parameter, that takes a caller's value. */
export interface Place {
  steps: Step[];
  schema: Schema;
}

const deepest = 12;

/** Every place in a value of this schema, itself included; `resolve` follows references. */
export function placesOf(given: Schema, resolve: (schema: Schema) => Schema, steps: Step[] = []): Place[] {
  if (steps.length > deepest) throw new Error(`A schema lies within itself: ${describeSteps(steps)}`);
  const schema = resolve(given);
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    placesOf(property, resolve, [...steps, name]),
  );
  const items = schema.items ? placesOf(schema.items, resolve, [...steps, entries]) : [];
  return [{ steps, schema }, ...properties, ...items];
}

export function describeSteps(steps: Step[]): string {
  return steps.map((step) => (step === entries ? '[]' : `.${step}`)).join('') || '(the whole)';
}

export function isOfType({ type }: Schema, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}

/** Whether the caller chooses an object's property names. */
export function isMap(schema: Schema): boolean {
  return isOfType(schema, 'object') && schema.properties === undefined;
}

/** Bodies that are read element by element: as many elements as fit into a request. */
export function isStream({ method, path }: Operation): boolean {
  return method === 'POST' && /\/scans\/\{\w+\}\/(events|issues)$/.test(path);
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerBounds } from '../support/answer-bounds.js';
import type { Parameter, Schema } from '../support/operations.js';
import { projectText } from '../support/project-files.js';
import { isOfType } from '../support/request-places.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Described {
  parameters?: Parameter[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema & { oneOf?: Schema[] } }> }>;
}

interface Description {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

let app: TestApp;
let description: Description;
beforeAll(async () => {
  app = await startTestApp();
  description = (await app.api.get<Description>('/openapi.json')).body;
});
afterAll(() => app.close());

/** The lists in a schema without `maxItems`, each by its shape and field. */
function unboundedIn(schema: Schema & { oneOf?: Schema[] }, name: string, seen = new Set<string>()): string[] {
  if (schema.$ref !== undefined) {
    const shape = schema.$ref.split('/').at(-1) ?? '';
    if (seen.has(shape)) return [];
    return unboundedIn(description.components.schemas[shape] ?? {}, shape, seen.add(shape));
  }
  const own = isOfType(schema, 'array') && schema.maxItems === undefined ? [name] : [];
  const choices = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  const properties = Object.entries(schema.properties ?? {});
  return [
    ...own,
    ...(schema.items ? unboundedIn(schema.items, `${name}[]`, seen) : []),
    ...choices.flatMap((choice) => unboundedIn(choice, name, seen)),
    ...properties.flatMap(([field, property]) => unboundedIn(property, `${name}.${field}`, seen)),
  ];
}

/** Written a page at a time, as its reader takes it: however long, it is never in memory as a whole. */
const streamed = /^AccountExport\./;

/** Whether a caller pages through the list: the bare lists of the store, and `data` of the scanning wing. */
function isPage(list: string, operation: string, parameters: Parameter[]): boolean {
  const asked = new Set(parameters.map(({ name }) => name));
  if (list === operation) return asked.has('limit');
  return list.endsWith('.data') && (asked.has('size') || asked.has('cursor'));
}

function listsWithoutPage(): string[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters = [], responses }]) => {
      const operation = `${method.toUpperCase()} ${path}`;
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const schemas = answers.flatMap(([, { content = {} }]) =>
        Object.values(content).flatMap(({ schema }) => schema ?? []),
      );
      return schemas
        .flatMap((schema) => unboundedIn(schema, operation))
        .filter((list) => !streamed.test(list) && !isPage(list, operation, parameters));
    }),
  );
}

describe('Every list in an answer', () => {
  it('is a page, has maxItems, or is listed with what bounds it', () => {
    const lists = [...new Set(listsWithoutPage())].toSorted();
    expect(lists.length).toBeGreaterThan(30);
    expect(lists).toEqual(Object.keys(answerBounds).toSorted());
  });

  it.each(Object.entries(answerBounds))('has the bound that the list says: %s', (_, { most, file }) => {
    const numbers = [...projectText(file).matchAll(/\b\d[\d_]*\b/g)].map(([text]) => Number(text.replaceAll('_', '')));
    expect(numbers).toContain(most);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, Operations, type Schema } from '../support/operations.js';
import { describeSteps, isMap, isOfType, isStream, type Place, placesOf } from '../support/request-places.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let operations: Operations;
beforeAll(async () => {
  app = await startTestApp();
  operations = await Operations.of(app);
});
afterAll(() => app.close());

/** Formats that are short by definition. */
const shortFormats = ['uuid', 'date-time'];
/** Their bytes are limited while they stream in. */
const streamed = 'binary';

function isBoundedText(schema: Schema): boolean {
  const { enum: values, format, maxLength } = schema;
  return values !== undefined || maxLength !== undefined || [...shortFormats, streamed].includes(format ?? '');
}

/** The limit that a place lacks, or null. */
function missingAt({ schema }: Place): string | null {
  if (isOfType(schema, 'string') && !isBoundedText(schema)) return 'maxLength';
  if (isOfType(schema, 'array') && schema.maxItems === undefined) return 'maxItems';
  if (!isMap(schema)) return null;
  return schema.maxProperties !== undefined && schema.propertyNames?.maxLength !== undefined ? null : 'maxProperties';
}

function missingIn(operation: Operation): string[] {
  const resolve = (schema: Schema) => operations.resolved(schema);
  const sent = operation.parameters.map(({ name, schema }) => ({ name, schema }));
  if (operation.body) sent.push({ name: 'body', schema: operation.body });
  return sent.flatMap(({ name, schema }) =>
    placesOf(schema, resolve)
      .filter((place) => !(isStream(operation) && name === 'body' && place.steps.length === 0))
      .map((place) => ({ place, missing: missingAt(place) }))
      .filter(({ missing }) => missing !== null)
      .map(
        ({ place, missing }) => `${operation.method} ${operation.path} ${name}${describeSteps(place.steps)} ${missing}`,
      ),
  );
}

describe('Everything that a caller can send', () => {
  it('has a limit in openapi.json: every text, list and map of every body and parameter', () => {
    const all = operations.everything();
    expect(all.length).toBeGreaterThan(100);
    expect(all.flatMap(missingIn)).toEqual([]);
  });
});

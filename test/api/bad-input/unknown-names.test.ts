import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiAnswer } from '../../support/api-client.js';
import { type Operation, Operations, type Schema } from '../../support/operations.js';
import { describeSteps, entries, isStream, type Place, placesOf, type Step } from '../../support/request-places.js';
import { insertScanningCaller } from '../../support/scanning-caller.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Problem {
  loc: (string | number)[];
  type: string;
  msg: string;
}

const scanningPaths =
  /^\/(schemas(?!\/store-events)|api\/v1\/(organizations|profiles|assets|locations|integrations|tags|scans|issues|events|workflows|deliveries|users\/me\/invitations))\b/;

let app: TestApp;
let token: string;
let operations: Operations;
let scanning: Operation[];
let store: Operation[];
beforeAll(async () => {
  app = await startTestApp();
  ({ token, operations } = await insertScanningCaller(app));
  scanning = operations.everything().filter(({ path }) => scanningPaths.test(path));
  store = operations.all().filter(({ path }) => !scanningPaths.test(path));
});
afterAll(() => app.close());

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function problemsOf({ status, body }: ApiAnswer<unknown>): Problem[] {
  return status === 422 ? (body as { detail: Problem[] }).detail : [];
}

/** The objects whose properties the interface description names, in a body of this schema. */
function objectsOf(schema: Schema): Place[] {
  const all = placesOf(schema, (one) => operations.resolved(one));
  return all.filter((place) => Object.keys(place.schema.properties ?? {}).length > 0);
}

/** A copy of `value` in which `change` has replaced the object that the steps lead to; arrays are entered at their first entry. */
function changedAt(value: unknown, [step, ...rest]: Step[], change: (object: object) => object): unknown {
  if (step === undefined) return change(value as object);
  if (step === entries) return [changedAt((value as unknown[])[0], rest, change)];
  const fields = value as Record<string, unknown>;
  return { ...fields, [step]: changedAt(fields[step], rest, change) };
}

function locOf(steps: Step[]): (string | number)[] {
  return ['body', ...steps.map((step) => (step === entries ? 0 : step))];
}

async function send(operation: Operation, json: unknown, query = ''): Promise<Problem[]> {
  const address = operations.address(operation);
  const separator = address.includes('?') ? '&' : '?';
  const path = query === '' ? address : `${address}${separator}${query}`;
  return problemsOf(await app.api.send(operation.method, path, { token, ...(json === undefined ? {} : { json }) }));
}

describe('The scanning wing', () => {
  it('is covered whole', () => {
    expect(scanning.length).toBeGreaterThan(50);
    expect(scanning.filter(isStream).map(nameOf)).toEqual([
      'POST /api/v1/scans/{id}/issues',
      'POST /api/v1/scans/{id}/events',
    ]);
  });

  it('declares every object in its bodies closed', () => {
    const open = scanning.flatMap((operation) =>
      (operation.body ? objectsOf(operation.body) : [])
        .filter(({ schema }) => schema.additionalProperties !== false)
        .map(({ steps }) => `${nameOf(operation)} ${describeSteps(steps)}`),
    );
    expect(open).toEqual([]);
  });

  it('refuses an unknown field of any body, at any depth', async () => {
    const taken: string[] = [];
    let tried = 0;
    for (const operation of scanning) {
      for (const { steps } of operation.body ? objectsOf(operation.body) : []) {
        const sample = operations.sample(operation.body as Schema);
        const problems = await send(
          operation,
          changedAt(sample, steps, (object) => ({ ...object, zzzzzzzz: 1 })),
        );
        const unknown = problems.find(({ type }) => type === 'extra_forbidden');
        tried++;
        if (JSON.stringify(unknown?.loc) === JSON.stringify([...locOf(steps), 'zzzzzzzz'])) continue;
        taken.push(`${nameOf(operation)} ${describeSteps(steps)}: ${JSON.stringify(problems).slice(0, 300)}`);
      }
    }
    expect(taken).toEqual([]);
    expect(tried).toBeGreaterThan(40);
  });

  it('suggests the field that was meant', async () => {
    const unnamed: string[] = [];
    for (const operation of scanning) {
      for (const { steps, schema } of operation.body ? objectsOf(operation.body) : []) {
        const name = Object.keys(schema.properties ?? {}).find((one) => one.length > 2) ?? '';
        const misspelled = `${name.slice(0, 1)}_${name.slice(1).toUpperCase()}`;
        const sample = operations.sample(operation.body as Schema);
        const problems = await send(
          operation,
          changedAt(sample, steps, (object) => ({ ...object, [misspelled]: 1 })),
        );
        const unknown = problems.find(({ type }) => type === 'extra_forbidden');
        if (unknown?.msg === `Extra inputs are not permitted: did you mean "${name}"?`) continue;
        unnamed.push(`${nameOf(operation)} ${misspelled}: ${unknown?.msg}`);
      }
    }
    expect(unnamed).toEqual([]);
  });

  it('refuses an unknown query parameter of any operation, and suggests the one that was meant', async () => {
    const taken: string[] = [];
    for (const operation of scanning) {
      const names = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      for (const wrong of ['zzzzzzzz', ...names.map((name) => `${name}_`)]) {
        const [problem] = await send(operation, undefined, `${wrong}=1`);
        const near = wrong === 'zzzzzzzz' || problem?.msg.endsWith(`did you mean "${wrong.slice(0, -1)}"?`);
        if (problem?.type === 'extra_forbidden' && problem.loc.join('.') === `query.${wrong}` && near) continue;
        taken.push(`${nameOf(operation)} ${wrong}: ${JSON.stringify(problem)}`);
      }
    }
    expect(taken).toEqual([]);
  });

  it('reports at most fifty unknown fields', async () => {
    const json = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x${at}`, at]));
    const { status, body } = await app.api.post<{ detail: Problem[] }>('/api/v1/tags', { token, json });
    expect([status, body.detail.length]).toEqual([422, 50]);
  });
});

describe('The store', () => {
  /** Calls by which the caller could end their own account or tokens. */
  const keepsTheCaller = ({ method, path }: Operation) =>
    !(path.endsWith('/me/profile') && method !== 'GET') && path !== '/api/v1/auth/password';

  it('ignores unknown names in bodies and queries', async () => {
    const refused: string[] = [];
    for (const operation of store.filter(keepsTheCaller)) {
      const sample = operation.body ? { ...(operations.sample(operation.body) as object), zzzzzzzz: 1 } : undefined;
      const problems = await send(operation, sample, 'zzzzzzzz=1');
      if (problems.some(({ type }) => type === 'extra_forbidden')) refused.push(nameOf(operation));
    }
    expect(refused).toEqual([]);
    expect(store.length).toBeGreaterThan(40);
  });
});

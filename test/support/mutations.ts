import fc from 'fast-check';

export type Step = string | number;

/** One change of one place in a JSON document. */
export interface Mutation {
  at: Step[];
  kind: 'swapped' | 'removed' | 'duplicated' | 'huge' | 'nested';
  value: unknown;
}

/** The places of all values in a JSON document, other than the document itself. */
export function placesIn(value: unknown, at: Step[] = []): Step[][] {
  const here = at.length > 0 ? [at] : [];
  if (Array.isArray(value)) return [...here, ...value.flatMap((item, index) => placesIn(item, [...at, index]))];
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, key]))];
}

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const values: unknown[] = [5, -1, 1.5, 1e308, '', 'text', '\u0000', '\ud800', true, false, null, [], {}, [[]], [null]];
const swapped = fc.constantFrom<unknown>(...values, { a: 1 }, 'https://other.example/x');
const huge = fc.constantFrom<unknown>(
  'x'.repeat(200_000),
  ' '.repeat(200_000),
  '<a'.repeat(100_000),
  Array(210_000).fill(0),
);

/** A change at any of the places. */
export function mutationOf(places: Step[][]): fc.Arbitrary<Mutation> {
  const at = fc.constantFrom(...places);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ at, kind: fc.constant('swapped' as const), value: swapped }) },
    { weight: 2, arbitrary: fc.record({ at, kind: fc.constant('removed' as const), value: fc.constant(null) }) },
    { weight: 2, arbitrary: fc.record({ at, kind: fc.constant('duplicated' as const), value: fc.constant(null) }) },
    { weight: 1, arbitrary: fc.record({ at, kind: fc.constant('huge' as const), value: huge }) },
    {
      weight: 2,
      arbitrary: fc.record({
        at,
        kind: fc.constant('nested' as const),
        value: fc.constantFrom(...[30, 70, 900].map(nested)),
      }),
    },
  );
}

/** The document with the change. A value that is not in an array is duplicated as an array of two of it. */
export function mutated<Document>(document: Document, { at, kind, value }: Mutation): Document {
  const copy = structuredClone(document);
  const key = at.at(-1) ?? '';
  let parent = copy as Record<Step, unknown>;
  for (const step of at.slice(0, -1)) parent = parent[step] as Record<Step, unknown>;
  if (kind === 'removed') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else if (kind === 'duplicated') {
    if (Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(parent[Number(key)]));
    else parent[key] = [parent[key], structuredClone(parent[key])];
  } else parent[key] = value;
  return copy;
}

/** Whether one place is inside the other, or the same. */
export function areNested(one: Step[], other: Step[]): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

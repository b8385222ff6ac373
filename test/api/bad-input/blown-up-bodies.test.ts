import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findSlowExpressions } from '../../support/expressions.js';
import type { Operation, Schema } from '../../support/operations.js';
import {
  describeSteps,
  entries,
  isOfType,
  isStream,
  type Place,
  placesOf,
  type Step,
} from '../../support/request-places.js';
import { type RunningService, startRunningService } from '../../support/running-service.js';

/** Steps per byte of an uncompressed body; reading and walking it once takes a tenth of this. */
const mostStepsPerByte = 60;
const mostBytes = 300_000;
/** A request without a response by then gets none at all: the service has nothing else to do. */
const patienceMs = 120_000;

let service: RunningService;
beforeAll(async () => {
  service = await startRunningService();
}, 300_000);
afterAll(() => service.stop());

type Blown = [what: string, json: string];

function list(count: number, entry: string): string {
  return `[${`${entry},`.repeat(count - 1)}${entry}]`;
}

function map(count: number): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(',')}}`;
}

const deep: Blown[] = [
  ['lists 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['objects 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
];
/** Each once as large as can be, and once small enough to pass a body's own limit. */
const blown: Record<'text' | 'list' | 'object', Blown[]> = {
  text: [['200,000 blanks', `"${' '.repeat(200_000)}"`]],
  list: [
    ['250,000 objects', list(250_000, '{}')],
    ['50,000 objects', list(50_000, '{}')],
    ['50,000 texts', list(50_000, '"a"')],
    ...deep,
  ],
  object: [['100,000 properties', map(100_000)], ['15,000 properties', map(15_000)], ...deep],
};

function kindsOf({ schema }: Place): (keyof typeof blown)[] {
  const kinds: (keyof typeof blown)[] = [];
  if (isOfType(schema, 'string')) kinds.push('text');
  if (isOfType(schema, 'array')) kinds.push('list');
  if (schema.properties !== undefined || isOfType(schema, 'object')) kinds.push('object');
  return kinds;
}

/** The sample with raw JSON at the place that the steps lead to. */
function bodyWith(sample: unknown, [step, ...rest]: Step[], json: string): string {
  if (step === undefined) return json;
  if (step === entries) return `[${bodyWith((sample as unknown[])[0], rest, json)}]`;
  const fields = { ...(sample as Record<string, unknown>), [step]: (sample as Record<string, unknown>)[step] };
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${name === step ? bodyWith(value, rest, json) : JSON.stringify(value)}`,
  );
  return `{${pairs.join(',')}}`;
}

interface Tried {
  name: string;
  body: string;
  type?: string;
  /** Whether the service may take it. */
  isTaken?: (fault: string) => boolean;
}

/** The fault in the service's response to a body, or null. */
async function faultOf(operation: Operation, { body, type = 'application/json', isTaken }: Tried) {
  const answer = await fetch(service.baseUrl + service.operations.address(operation), {
    method: operation.method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': type, 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(body, { level: 1 })),
    signal: AbortSignal.timeout(patienceMs),
  });
  const { byteLength } = await answer.arrayBuffer();
  const fault = answer.status < 400 || answer.status > 499 ? `answered ${answer.status}` : null;
  if (fault) return isTaken?.(fault) ? null : fault;
  return byteLength > mostBytes ? `answered ${byteLength} bytes` : null;
}

/**
 * The faults of the answers to bodies of one length. To count takes the service longer than most of them do: what all of
 * them together do not take, none of them takes, and only what is dear together is looked at in halves.
 */
async function faultsOf(operation: Operation, some: Tried[]): Promise<string[]> {
  const faults: string[] = [];
  for (const one of some) {
    const fault = await faultOf(operation, one).catch(String);
    if (fault) faults.push(`${operation.method} ${operation.path} ${one.name}: ${fault}`);
  }
  const stepsPerByte = (await service.work.steps()) / Math.min(...some.map(({ body }) => body.length));
  if (stepsPerByte <= mostStepsPerByte) return faults;
  const half = Math.ceil(some.length / 2);
  if (half < some.length)
    return [
      ...new Set([
        ...faults,
        ...(await faultsOf(operation, some.slice(0, half))),
        ...(await faultsOf(operation, some.slice(half))),
      ]),
    ];
  return [
    ...faults,
    `${operation.method} ${operation.path} ${some[0]?.name}: ${Math.round(stepsPerByte)} steps for a byte`,
  ];
}

/** The store ignores unknown properties, however many pass the limit. */
function isIgnored({ schema }: Place, what: string): Tried['isTaken'] {
  const isOpen = schema.properties !== undefined && schema.additionalProperties !== false;
  return (fault) => isOpen && what === '15,000 properties' && /^answered 20[04]$/.test(fault);
}

function placesIn({ body }: { body: Schema }): Place[] {
  return placesOf(body, (schema) => service.operations.resolved(schema));
}

describe('A body that is blown up in one place', () => {
  it('is refused briefly, in steps proportional to its length, at every place of every body', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const operation of service.operations.everything()) {
      if (!operation.body) continue;
      const sample = service.operations.sample(operation.body);
      const byWhat = new Map<string, Tried[]>();
      for (const place of placesIn({ body: operation.body })) {
        for (const [what, json] of kindsOf(place).flatMap((kind) => blown[kind])) {
          const name = `${describeSteps(place.steps)} ${what}`;
          const one = { name, body: bodyWith(sample, place.steps, json), isTaken: isIgnored(place, what) };
          byWhat.set(what, [...(byWhat.get(what) ?? []), one]);
          tried++;
        }
      }
      for (const some of byWhat.values()) faults.push(...(await faultsOf(operation, some)));
      expect(service.isAlive()).toBe(true);
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  }, 900_000);

  it('is refused in lines of JSON too', async () => {
    const faults: string[] = [];
    for (const operation of service.operations.everything().filter(isStream)) {
      for (const line of ['{}', '"a"', '[]', ' ', deep[0]?.[1] ?? '']) {
        const body = `${line}\n`.repeat(Math.min(250_000, 5_000_000 / line.length));
        const lines = { name: line.slice(0, 10), body, type: 'application/x-ndjson' };
        const found = await faultsOf(operation, [lines]);
        if (line !== ' ') faults.push(...found);
      }
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it('is matched by linear expressions alone', async () => {
    expect(await findSlowExpressions(await service.work.expressions())).toEqual([]);
  });

  it('never kept the service from serving others, or ended it', () => {
    expect(service.ailments).toEqual([]);
    expect(service.isAlive()).toBe(true);
  });
});

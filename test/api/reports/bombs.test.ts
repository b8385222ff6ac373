import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { ImportNode, type Watched } from '../../support/import-node.js';

/** They take 260 at most; keeping any of the long lists would take 200 more. */
const maxMegabytes = 400;

let node: ImportNode;
beforeAll(async () => {
  node = await ImportNode.open();
});
afterAll(() => node.close());

async function drop(json: string): Promise<Watched<ApiAnswer<ImportResult>>> {
  const watched = await node.watch(node.send(gzipSync(json), '?asset=x'));
  expect([node.isAlive, [...watched.health]]).toEqual([true, [200]]);
  return watched;
}

function many(count: number, text: string): string {
  return Array.from({ length: count }, () => text).join(',');
}

function log(runs: string): string {
  return `{"version":"2.1.0","runs":[${runs}]}`;
}

function run(rest: string, results = '', tool = ''): string {
  return `{"tool":{"driver":{"name":"T"${tool}}},${rest},"results":[${results}]}`;
}

const message = '"ruleId":"r","message":{"text":"m"}';
const located = (locations: string): string => `{${message},"locations":[${locations}]}`;
const at = (fields: string): string => `{"physicalLocation":{"artifactLocation":{${fields}}}}`;

const bombs: [string, () => string][] = [
  [
    '30 runs of 49,999 rules that say nothing',
    () => log(many(30, run('"x":1', '', `,"rules":[${many(49_999, '{}')}]`))),
  ],
  [
    '30 runs of 49,999 rules with an id',
    () => log(many(30, run('"x":1', '', `,"rules":[${many(49_999, '{"id":"a"}')}]`))),
  ],
  ['20 runs of 99,999 files that say nothing', () => log(many(20, run(`"artifacts":[${many(99_999, '{}')}]`)))],
  [
    'a file with a path of 2 MB that 400 locations name',
    () => {
      const artifacts = `"artifacts":[{"location":{"uri":"a/${'%20b'.repeat(500_000)}"}}]`;
      return log(run(artifacts, many(20, located(many(20, at('"index":0'))))));
    },
  ],
  [
    '150,000 bases and 15,000 locations',
    () => {
      const bases = Array.from({ length: 150_000 }, (_, index) => `"b${index}":{"uri":"file:///r${index}/"}`).join(',');
      return log(run(`"originalUriBaseIds":{${bases}}`, many(30, located(many(500, at('"uri":"file:///a"'))))));
    },
  ],
  [
    'a long argument that a message names 6,666 times',
    () => {
      const argument = '€\\u0000'.repeat(1_000_000);
      const text = '{0}'.repeat(6_666);
      return log(run('"x":1', `{"ruleId":"r","message":{"text":"${text}","arguments":["${argument}"]}}`));
    },
  ],
  [
    '1,000 extensions and 100,000 results that name another',
    () => {
      const extensions = Array.from({ length: 1_000 }, (_, index) => `{"name":"e${index}"}`).join(',');
      const result = '{"rule":{"toolComponent":{"name":"none"}}}';
      return log(`{"tool":{"driver":{"name":"T"},"extensions":[${extensions}]},"results":[${many(100_000, result)}]}`);
    },
  ],
  [
    'a rule of 150,000 weaknesses and 2,000 results',
    () => {
      const rule = `{"id":"r","properties":{"tags":[${many(150_000, '"CWE-79"')}]}}`;
      return log(run('"x":1', many(2_000, `{${message}}`), `,"rules":[${rule}]`));
    },
  ],
];

describe('POST /api/v1/scans/import of a small body that grows', () => {
  it.each(bombs)('survives %s in bounded memory, and serves others meanwhile', async (_name, body) => {
    const { result, megabytes } = await drop(body());
    expect(result.status).toBe(201);
    expect(megabytes).toBeLessThan(maxMegabytes);
  });

  it('says once that a report exceeds what is kept', async () => {
    const rules = Array.from({ length: 40_000 }, (_, index) => `{"id":"r${index}"}`).join(',');
    const { result } = await drop(log(many(3, run('"x":1', `{"ruleId":"r1"}`, `,"rules":[${rules}]`))));
    expect(result.body.cut.map(({ index, reason }) => [index, reason.slice(0, 39)])).toEqual([
      [null, 'The report has more than 100000 rules, '],
    ]);
  });
});

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const ruleCount = 200;

/** The parts of a SARIF result that the bench writes and reads. */
export interface SarifResult {
  ruleId: string;
  level: string;
  message: { text: string };
  partialFingerprints: { primary: string };
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: string };
        region: { startLine: number; snippet: { text: string } };
      };
    },
  ];
}

export interface SarifLog {
  runs: [{ results: SarifResult[] }];
}

function resultOf(n: number): SarifResult {
  const snippet = { text: `const rows = await query('SELECT * FROM items WHERE id = ' + request.query.id${n});` };
  return {
    ruleId: `rule-${n % ruleCount}`,
    level: n % 10 === 0 ? 'error' : 'warning',
    message: { text: `The value of "id${n}" reaches the query as it is: bind it.` },
    partialFingerprints: { primary: `print-${n}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/room-${n % 97}/file-${n % 5_003}.ts` },
          region: { startLine: 1 + (n % 400), snippet },
        },
      },
    ],
  };
}

function* pieces(results: number): Generator<string> {
  const rules = Array.from({ length: ruleCount }, (_, n) => ({
    id: `rule-${n}`,
    shortDescription: { text: `Rule ${n}` },
  }));
  const repository = '"versionControlProvenance":[{"repositoryUri":"https://code.example/acme/bench"}]';
  yield `{"version":"2.1.0","runs":[{${repository},"tool":{"driver":{"name":"Bench","rules":${JSON.stringify(rules)}}},"results":[`;
  for (let n = 0; n < results; n++) yield `${n === 0 ? '' : ',\n'}${JSON.stringify(resultOf(n))}`;
  yield ']}]}';
}

/** Writes a SARIF report with this many results, all different issues. */
export async function writeSarif(file: string, results: number): Promise<void> {
  await pipeline(Readable.from(pieces(results)), createWriteStream(file));
}

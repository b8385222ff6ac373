import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { NewEvent } from '../../src/scanning/scan-events/event-rows.js';
import type { ScanContext } from '../../src/scanning/scans/scan-context.js';
import type { Arena } from '../arena.js';
import type { BenchRow, Contender } from '../bench-row.js';
import type { Side } from '../contestants.js';
import { type Pace, warmUpPart } from '../pace.js';
import { copyEvents, restOfLine } from './copy-events.js';
import { benchId, organizationId } from './fill-organization.js';
import { type SarifLog, type SarifResult, writeSarif } from './sarif-file.js';

const side: Side = { kind: 'service', database: 'imports' };
const written = new Set<string>();

interface Report {
  file: string;
  results: number;
}

async function reportOf(arena: Arena, pace: Pace, isWarmUp: boolean): Promise<Report> {
  const results = Math.round(pace.sizes.results * (isWarmUp ? warmUpPart : 1));
  const file = join(arena.folder, `report-${results}.sarif`);
  if (!written.has(file)) await writeSarif(file, results);
  written.add(file);
  return { file, results };
}

/** Every import is the first of its report, so all findings are new. */
async function empty(arena: Arena): Promise<void> {
  await (
    await arena.database('imports')
  ).query('TRUNCATE scan_events, issue_scans, issue_targets, issue_activities, issues, scans CASCADE');
}

async function timed(results: number, work: () => Promise<void>) {
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  return { rate: results / seconds, p99Milliseconds: null, failures: [] };
}

const importing: Contender = {
  name: 'service',
  async measure(arena, pace, isWarmUp) {
    const { baseUrl, asOrganization } = await arena.contestant(side);
    const { file, results } = await reportOf(arena, pace, isWarmUp);
    await empty(arena);
    return timed(results, async () => {
      const response = await fetch(`${baseUrl}/api/v1/scans/import`, {
        method: 'POST',
        headers: { ...asOrganization, 'content-type': 'application/sarif+json' },
        body: Readable.toWeb(createReadStream(file)),
        duplex: 'half',
      });
      const answer = (await response.json()) as { created?: number };
      if (answer.created !== results) throw new Error(`The import came to ${JSON.stringify(answer)}`);
    });
  },
};

const scan: ScanContext = {
  id: benchId('scan', 1),
  organizationId,
  profileId: benchId('profile', 1),
  assetIds: [benchId('asset', 1)],
};

function eventOf({ ruleId, message, locations: [place] }: SarifResult): NewEvent {
  const { artifactLocation, region } = place.physicalLocation;
  const snippet = { name: artifactLocation.uri, language: 'typescript', content: region.snippet.text };
  return {
    title: `${ruleId} in ${artifactLocation.uri}, line ${region.startLine}`,
    description: message.text,
    level: 'INFO',
    stage: 'EXECUTION',
    attachments: [{ type: 'SNIPPET', snippet }],
  };
}

function* linesOf({ runs: [run] }: SarifLog): Generator<string> {
  for (const result of run.results) yield restOfLine(scan, eventOf(result));
}

const copying: Contender = {
  name: 'COPY',
  async measure(arena, pace, isWarmUp) {
    const { file, results } = await reportOf(arena, pace, isWarmUp);
    const client = await arena.database('imports');
    await empty(arena);
    return timed(results, async () => {
      const log = JSON.parse(await readFile(file, 'utf8')) as SarifLog;
      await client.query('BEGIN');
      await copyEvents(client, linesOf(log));
      await client.query('COMMIT');
    });
  },
};

export const importRow: BenchRow = {
  name: 'import',
  what: 'a SARIF report whose results are all new; of the other, an event each',
  connections: 1,
  unit: 'results',
  first: importing,
  second: copying,
  bar: 0.4,
  watched: side,
};

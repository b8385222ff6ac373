import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedServer } from '../src/database/embedded/embedded-server.js';
import { migrate } from '../src/database/migrate.js';
import { type Contestant, startBaseline, startService } from './contestants.js';
import { fill, sweep } from './fill.js';
import { type Measurement, measure } from './load.js';
import { type BenchPath, benchPaths } from './paths.js';
import { median, type Row, tableOf, writeReport } from './report.js';

const rounds = 3;
const warmUpSeconds = 2;

async function contest(
  path: BenchPath,
  service: Contestant,
  baseline: Contestant,
  client: Client,
  seconds: number,
): Promise<Row> {
  const measured = { service: [] as Measurement[], baseline: [] as Measurement[] };
  for (let round = 0; round <= rounds; round++) {
    for (const contestant of [baseline, service]) {
      if (path.signedIn) await sweep(client);
      const measurement = await measure(path, contestant, round === 0 ? Math.min(seconds, warmUpSeconds) : seconds);
      if (round > 0) measured[contestant.name].push(measurement);
    }
  }
  const rate = (measurements: Measurement[]) => median(measurements.map((one) => one.requestsPerSecond));
  const ratios = measured.service.map(
    (one, round) => one.requestsPerSecond / (measured.baseline[round]?.requestsPerSecond ?? NaN),
  );
  return {
    name: path.name,
    what: path.what,
    connections: path.connections,
    serviceRate: rate(measured.service),
    baselineRate: rate(measured.baseline),
    ratio: median(ratios),
    serviceP99: median(measured.service.map((one) => one.p99Milliseconds)),
    failures: [...measured.service, ...measured.baseline].reduce((sum, one) => sum + one.failures, 0),
  };
}

function chosenPaths(names: string[]): BenchPath[] {
  const unknown = names.filter((name) => !benchPaths.some((path) => path.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no path ${unknown.join(', ')}: choose of ${benchPaths.map((path) => path.name).join(', ')}`,
    );
  }
  return names.length === 0 ? benchPaths : benchPaths.filter((path) => names.includes(path.name));
}

async function run(paths: BenchPath[], seconds: number, writes: boolean, command: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'store-bench-'));
  await chmod(dataDir, 0o755); // so that PostgreSQL's own user can reach it when this runs as root
  const server = await startEmbeddedServer({ dataDir });
  const client = new Client({ connectionString: server.url });
  const contestants: Contestant[] = [];
  try {
    console.log('Filling the database ...');
    await migrate(server.url);
    await client.connect();
    await fill(client);
    const service = await startService(server.url, dataDir);
    contestants.push(service);
    const baseline = await startBaseline(server.url);
    contestants.push(baseline);
    const rows: Row[] = [];
    for (const path of paths) {
      console.log(`Measuring ${path.name}: ${path.what} ...`);
      const row = await contest(path, service, baseline, client, seconds);
      rows.push(row);
      console.log(
        `  service ${Math.round(row.serviceRate)}/s, baseline ${Math.round(row.baselineRate)}/s, ratio ${row.ratio.toFixed(2)}`,
      );
      if (row.failures > 0)
        throw new Error(`${row.failures} answers of ${path.name} were no success: the figures say nothing`);
    }
    const residentMegabytes = await service.residentMegabytes();
    console.log(`\n${tableOf(rows)}\n\nResident memory of the service: ${Math.round(residentMegabytes)} MB`);
    const { rows: versions } = await client.query<{ version: string }>('SELECT version()');
    const postgres = versions[0]?.version.split(' ').slice(0, 2).join(' ') ?? '';
    if (writes)
      await writeReport(new URL('./RESULTS.md', import.meta.url), { rows, residentMegabytes, postgres, command });
  } finally {
    for (const contestant of contestants) await contestant.stop();
    await client.end().catch(() => undefined);
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const names = args.filter((arg) => !arg.startsWith('--'));
try {
  await run(chosenPaths(names), smoke ? 1 : 5, !smoke && names.length === 0, 'npm run bench');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

import { Arena } from './arena.js';
import { type Measurement, measure } from './load.js';
import { benchPaths, type BenchPath } from './paths.js';
import { median, type Result, tableOf, writeReport } from './report.js';
import { type BenchRow, benchRows } from './rows.js';
import { sweep } from './fill.js';

interface Pace {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

const wholePace: Pace = { rounds: 3, seconds: 4, warmUpSeconds: 2 };
const smokePace: Pace = { rounds: 1, seconds: 1, warmUpSeconds: 1 };

async function contest(row: BenchRow, arena: Arena, pace: Pace): Promise<Result> {
  const path: BenchPath = benchPaths[row.path];
  const sides = [row.second, row.first];
  const measured: [Measurement[], Measurement[]] = [[], []];
  for (let round = 0; round <= pace.rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const contestant = await arena.contestant(side);
      if (path.writes) await sweep(await arena.shop(side.shop));
      const measurement = await measure(path, contestant, round === 0 ? pace.warmUpSeconds : pace.seconds);
      if (round > 0) measured[index === 0 ? 0 : 1].push(measurement);
    }
  }
  const [second, first] = measured;
  const rate = (measurements: Measurement[]) => median(measurements.map((one) => one.requestsPerSecond));
  return {
    row,
    path,
    firstRate: rate(first),
    secondRate: rate(second),
    ratio: median(first.map((one, round) => one.requestsPerSecond / (second[round]?.requestsPerSecond ?? NaN))),
    p99: median(first.map((one) => one.p99Milliseconds)),
    failures: [...first, ...second].reduce((sum, one) => sum + one.failures, 0),
  };
}

function chosenRows(names: string[]): BenchRow[] {
  const unknown = names.filter((name) => !benchRows.some((row) => row.name === name));
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}: choose of ${benchRows.map((row) => row.name).join(', ')}`);
  }
  return names.length === 0 ? benchRows : benchRows.filter((row) => names.includes(row.name));
}

async function run(rows: BenchRow[], pace: Pace, reportFile: URL | null): Promise<void> {
  const arena = await Arena.open();
  try {
    const results: Result[] = [];
    for (const [index, row] of rows.entries()) {
      console.log(`${index + 1}/${rows.length} ${row.name}: ${benchPaths[row.path].what} ...`);
      const result = await contest(row, arena, pace);
      results.push(result);
      console.log(
        `  ${Math.round(result.firstRate)}/s against ${Math.round(result.secondRate)}/s: ${result.ratio.toFixed(2)}`,
      );
      if (result.failures > 0) throw new Error(`${result.failures} answers were no success: the figures say nothing`);
    }
    const residentMegabytes = await arena.residentMegabytes(['service', 'uncached']);
    console.log(`\n${tableOf(results)}\n\nMost resident memory of the service: ${Math.round(residentMegabytes)} MB`);
    if (reportFile)
      await writeReport(reportFile, { results, residentMegabytes, postgres: await arena.postgresVersion() });
  } finally {
    await arena.close();
  }
}

const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const names = args.filter((arg) => !arg.startsWith('--'));
try {
  const reportFile = smoke || names.length > 0 ? null : new URL('./RESULTS.md', import.meta.url);
  await run(chosenRows(names), smoke ? smokePace : wholePace, reportFile);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

import { Arena } from './arena.js';
import type { BenchRow } from './bench-row.js';
import { contest, type Result } from './contest.js';
import { type Pace, profilePace, smokePace, wholePace } from './pace.js';
import { profile } from './profile.js';
import { memoryOf, rateInWords, tableOf, writeReport } from './report.js';
import { benchRows } from './rows.js';

function chosenRows(names: string[]): BenchRow[] {
  const unknown = names.filter((name) => !benchRows.some((row) => row.name === name || row.group === name));
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}: choose of ${benchRows.map((row) => row.name).join(', ')}`);
  }
  return names.length === 0
    ? benchRows
    : benchRows.filter(({ name, group }) => names.includes(name) || names.includes(group ?? ''));
}

async function run(rows: BenchRow[], pace: Pace, reportFile: URL | null): Promise<void> {
  const opening = Arena.open(pace);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void opening.then((opened) => opened.close()).finally(() => process.exit(130)));
  }
  const arena = await opening;
  try {
    const results: Result[] = [];
    for (const [index, row] of rows.entries()) {
      const missing = row.missing?.() ?? null;
      if (missing !== null) {
        console.log(`${index + 1}/${rows.length} ${row.name} is left out: ${missing}`);
        continue;
      }
      console.log(`${index + 1}/${rows.length} ${row.name}: ${row.what} ...`);
      const result = await contest(row, arena, pace);
      results.push(result);
      const [first, second] = [rateInWords(result.firstRate), rateInWords(result.secondRate)];
      console.log(`  ${first} ${row.unit}/s against ${second}: ${result.ratio.toFixed(2)}`);
      if (result.more !== null) console.log(`  ${result.more}`);
      if (result.failures.length > 0) throw new Error(`${result.failures.join(', ')}: the figures say nothing`);
    }
    const residentMegabytes = await arena.residentMegabytes(['service', 'uncached']);
    console.log(`\n${tableOf(results)}\n\n${memoryOf({ results, residentMegabytes })}`);
    if (reportFile)
      await writeReport(reportFile, { results, residentMegabytes, postgres: await arena.postgresVersion() });
  } finally {
    await arena.close();
  }
}

const usage = `Usage: npm run bench [-- ROW ...] [-- --smoke | --profile]
       npm run bench -- scale [TRIAL ...]

Measures the service against its contestants; all rows write bench/RESULTS.md, some print their table alone.
  --smoke    all in short, to see that it works
  --profile  where the service's time goes in these rows

Rows: ${benchRows.map((row) => row.name).join(', ')}`;
const options = ['--smoke', '--profile', '--help'];
const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const names = args.filter((arg) => !arg.startsWith('--'));

async function main(): Promise<void> {
  const unknown = args.filter((arg) => arg.startsWith('--') && !options.includes(arg));
  if (unknown.length > 0) throw new Error(`There is no option ${unknown.join(', ')}: choose of ${options.join(', ')}`);
  if (args.includes('--help')) {
    console.log(usage);
    return;
  }
  const rows = chosenRows(names);
  const reportFile = smoke || names.length > 0 ? null : new URL('./RESULTS.md', import.meta.url);
  if (args.includes('--profile')) await profile(rows, profilePace);
  else await run(rows, smoke ? smokePace : wholePace, reportFile);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

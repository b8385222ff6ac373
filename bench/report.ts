import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import type { BenchPath } from './paths.js';
import type { BenchRow, Side } from './rows.js';

export interface Result {
  row: BenchRow;
  path: BenchPath;
  firstRate: number;
  secondRate: number;
  ratio: number;
  p99: number;
  failures: number;
}

export interface Report {
  results: Result[];
  residentMegabytes: number;
  postgres: string;
}

/** The middle value, of an odd number of values. */
export function median(values: number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function machine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GiB, Node ${process.version}`;
}

function nameOf({ kind, shop }: Side): string {
  return shop === 'shop' ? kind : `${kind} (${shop})`;
}

/** The results as a Markdown table. */
export function tableOf(results: Result[]): string {
  const lines = results.map(
    ({ row, path, firstRate, secondRate, ratio, p99 }) =>
      `| ${row.name} | ${path.what} | ${path.connections} | ${nameOf(row.first)} ${Math.round(firstRate)} | ` +
      `${nameOf(row.second)} ${Math.round(secondRate)} | **${ratio.toFixed(2)}** | ${row.bar} | ${p99} |`,
  );
  return [
    '| row | what | connections | requests/s | against | ratio | bar | p99 ms |',
    '|---|---|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}

/** Writes the figures, with what they were measured on. */
export async function writeReport(file: URL, { results, residentMegabytes, postgres }: Report): Promise<void> {
  const text = `# Results

Measured by \`npm run bench\` on ${machine()}, ${postgres}. \`npm run bench -- cart checkout\` measures some rows alone.

- **service**: as \`npm start\` runs it, logging errors alone; **uncached**: the same with \`RESPONSE_CACHE_MB=0\`.
- **baseline**: node:http and pg with nothing between, the service's own statements on the same rows of the same
  PostgreSQL. It checks nothing: no token, no shape of the input, no rule.
- **memory**: node:http that answers the service's own bytes from a Map.

The load generator is autocannon, on the same machine and its two cores, with the same connections for both sides, which
are asked in turn. Rates are medians of three runs and depend on the machine; the ratio, a median of the pairs, is the
figure. Where a side passes 15,000 requests a second, the generator takes about as much of the machine as the server.

${tableOf(results)}

Most resident memory of a process of the service after all of it: ${Math.round(residentMegabytes)} MB.
`;
  await writeFile(file, text);
}

import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

export interface Row {
  name: string;
  what: string;
  connections: number;
  serviceRate: number;
  baselineRate: number;
  ratio: number;
  serviceP99: number;
  failures: number;
}

export interface Report {
  rows: Row[];
  residentMegabytes: number;
  postgres: string;
  command: string;
}

/** The middle value, of an odd number of values. */
export function median(values: number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function machine(): string {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

/** The rows as a Markdown table. */
export function tableOf(rows: Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${row.what} | ${row.connections} | ${Math.round(row.serviceRate)} | ` +
      `${Math.round(row.baselineRate)} | **${row.ratio.toFixed(2)}** | ${row.serviceP99} |`,
  );
  return [
    '| path | what | connections | service req/s | baseline req/s | ratio | service p99 ms |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}

/** Writes the figures, with what they were measured on and by which command. */
export async function writeReport(file: URL, { rows, residentMegabytes, postgres, command }: Report): Promise<void> {
  const text = `# Results

Measured by \`${command}\` on ${machine()}, ${postgres}.

The service against \`bench/baseline\`: node:http and pg with nothing between, the same statements on the same rows of the
same PostgreSQL, the same load generator (autocannon, on the same machine) and connections, in turn, medians of three runs.
The baseline checks nothing: no token, no shape of the input, no rule. Rates depend on the machine; the ratio is the figure.

${tableOf(rows)}

Resident memory of the service's process after all of it: ${Math.round(residentMegabytes)} MB.
`;
  await writeFile(file, text);
}

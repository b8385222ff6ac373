import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import type { Result } from './contest.js';

export interface Report {
  results: Result[];
  residentMegabytes: number;
  postgres: string;
}

function machine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${memory} GiB, Node ${process.version}`;
}

/** A rate, with one decimal if it is small. */
export function rateInWords(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : String(Math.round(rate));
}

function lineOf({ row, firstRate, secondRate, ratio, p99 }: Result): string {
  return (
    `| ${row.name} | ${row.what} | ${row.connections} | ${row.unit} | ${row.first.name} ${rateInWords(firstRate)} | ` +
    `${row.second.name} ${rateInWords(secondRate)} | **${ratio.toFixed(2)}** | ${row.bar ?? '–'} | ${p99 ?? '–'} |`
  );
}

/** The results as a Markdown table. */
export function tableOf(results: Result[]): string {
  return [
    '| row | what | connections | counted | a second | against | ratio | bar | p99 ms |',
    '|---|---|---:|---|---:|---:|---:|---:|---:|',
    ...results.map(lineOf),
  ].join('\n');
}

/** What some rows tell beside their figures. */
function moreOf(results: Result[]): string {
  const told = results.filter(({ more }) => more !== null).map(({ row, more }) => `- ${row.name}: ${more}`);
  return told.length === 0 ? '' : `\n${told.join('\n')}\n`;
}

/** The service's memory: idle and peak where watched, and at the end. */
export function memoryOf({ results, residentMegabytes }: Omit<Report, 'postgres'>): string {
  const watched = results.flatMap(({ row, memory }) => {
    if (!memory) return [];
    const [idle, most] = [Math.round(memory.idleMegabytes), Math.round(memory.mostMegabytes)];
    return [`- ${row.name}: ${idle} MB idle, ${most} MB at most meanwhile: ${most - idle} MB more`];
  });
  const after = `- Most of a process of the service after all of it: ${Math.round(residentMegabytes)} MB`;
  return ['Resident memory of the service:', '', ...watched, after].join('\n');
}

/** What people wrote below the figures, from its first heading on. */
async function remarksOf(file: URL): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const begin = text.indexOf('\n## ');
  return begin === -1 ? '' : text.slice(begin);
}

/** Writes the figures and the machine they were measured on; keeps the sections below them. */
export async function writeReport(file: URL, report: Report): Promise<void> {
  const text = `# Results

Measured by \`npm run bench\` on ${machine()}, ${report.postgres}. \`npm run bench -- cart checkout\` measures some rows alone.

- **service**: as \`npm start\` runs it, logging errors alone; **uncached**: the same with \`RESPONSE_CACHE_MB=0\`.
- **baseline**: node:http and pg with nothing between, the service's own statements on the same rows of the same
  PostgreSQL. It checks nothing: no token, no shape of the input, no rule.
- **lean**: node:http and pg, one short statement a request that shares nothing with the service's (\`bench/lean\`).
- **fastapi**: FastAPI and SQLAlchemy's ORM over asyncpg, one process of uvicorn, of Debian's packages
  (\`bench/fastapi\`); its rows are left out where they are not installed.
- **Express**: templates over pg for the pages of the shop front, which keeps nothing (\`bench/storefront\`).
- **memory**: node:http that answers the service's own bytes from a Map.
- **COPY**: pg-copy-streams, the same rows into the same partitioned table with the same indexes; for an import, after
  JSON.parse of the same file, in one transaction.
- **one query**: all issues of the payload by one statement, JSON.stringify, and fetch to the same receiver.

The load generator is autocannon, on the same machine and its two cores, with the same connections for both sides, which
are asked in turn. Rates are medians of three runs and depend on the machine; the ratio, a median of the pairs, is the
figure. Where a side passes 15,000 requests a second, the generator takes about as much of the machine as the server.

${tableOf(report.results)}
${moreOf(report.results)}
${memoryOf(report)}
`;
  await writeFile(file, text + (await remarksOf(file)));
}

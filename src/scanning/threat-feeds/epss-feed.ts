import { FeedFault } from './feed-fault.js';

/** A row of EPSS (https://www.first.org/epss/data_stats): how probably a vulnerability is exploited within thirty days. */
export interface EpssRow {
  cve: string;
  epss: number;
  percentile: number;
}

/** Some rows, or what the feed says of itself. */
export type EpssPart = { publishedAt: Date } | { rows: EpssRow[] };

const longestLine = 1_000;
export const cveId = /^CVE-\d{4}-\d{4,19}$/;

function share(text: string | undefined): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? value : Number.NaN;
}

function rowOf(line: string, at: number): EpssRow {
  const [cve = '', epss, percentile] = line.split(',').map((field) => field.replace(/^"|"$/g, '').trim());
  const row = { cve: cve.toUpperCase(), epss: share(epss), percentile: share(percentile) };
  if (cveId.test(row.cve) && !Number.isNaN(row.epss) && !Number.isNaN(row.percentile)) return row;
  throw new FeedFault(`line ${at} is not cve,epss,percentile: ${JSON.stringify(line.slice(0, 100))}`);
}

/** Reads the CSV while it arrives. `FeedFault` at the first line that is none. */
export async function* epssParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<EpssPart> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let at = 0;
  const read = (lines: string[]): EpssPart[] => {
    const rows: EpssRow[] = [];
    const parts: EpssPart[] = [];
    for (const given of lines) {
      at++;
      const line = given.trim();
      const [, date] = /^#.*score_date:([\dTZ:.+-]{10,40})/.exec(line) ?? [];
      if (date !== undefined && !Number.isNaN(Date.parse(date))) parts.push({ publishedAt: new Date(date) });
      if (line === '' || line.startsWith('#') || /^"?cve"?,/i.test(line)) continue;
      rows.push(rowOf(line, at));
    }
    return rows.length > 0 ? [...parts, { rows }] : parts;
  };
  for await (const chunk of bytes) {
    const lines = (rest + textOf(decoder, chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new FeedFault(`line ${at + 1} is longer than ${longestLine} characters`);
    yield* read(lines);
  }
  yield* read([rest + textOf(decoder)]);
}

function textOf(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new FeedFault('it is not valid UTF-8');
  }
}

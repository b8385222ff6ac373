import { openReport, readReport } from '../../src/scanning/reports/read-report.js';
import type { AssetDraft } from '../../src/scanning/assets/asset-draft.js';
import { SourceRoots } from '../../src/scanning/reports/source-roots.js';
import type {
  Reading,
  Report,
  ReportBytes,
  ReportEntry,
  ReportFinding,
  ReportFormat,
} from '../../src/scanning/reports/report-finding.js';

/** The bytes of a report in pieces, as read from a file. */
export function bytesOfReport(report: string | Buffer | object, pieceBytes = 64 * 1024): ReportBytes {
  const content = typeof report === 'string' || Buffer.isBuffer(report) ? report : JSON.stringify(report);
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  return async function* () {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
  };
}

/** A reading for which the caller names nothing. */
export const plainReading: Reading = { asset: null, fallback: null, roots: new SourceRoots([]), allowEmpty: false };

/** All entries of a report. */
export async function entriesOf(report: Report): Promise<ReportEntry[]> {
  const entries: ReportEntry[] = [];
  for await (const part of report.entries()) entries.push(...part);
  return entries;
}

interface WholeReading {
  format?: ReportFormat;
  pieceBytes?: number;
  asset?: AssetDraft | null;
  roots?: string[];
}

interface WholeReport extends Report {
  /** The name of the first tool. */
  tool: string;
  about: AssetDraft[];
  failures: string[];
  findings: ReportFinding[];
  skipped: string[];
  cut: (string | null)[];
}

/** Reads a whole report: its findings, and the reasons why others were skipped. */
export async function readWhole(
  report: string | Buffer | object,
  { format, pieceBytes, asset = null, roots = [] }: WholeReading = {},
): Promise<WholeReport> {
  const reading = { ...plainReading, asset, roots: new SourceRoots(roots) };
  const read = await readReport(await openReport(bytesOfReport(report, pieceBytes), format), reading);
  const entries = await entriesOf(read);
  const [first] = read.tools;
  return {
    ...read,
    tool: first?.name ?? '',
    about: read.tools.flatMap(({ about }) => about),
    failures: read.tools.flatMap(({ failures }) => failures),
    findings: entries.flatMap((entry) => ('finding' in entry ? [entry.finding] : [])),
    cut: entries.flatMap((entry) => ('finding' in entry ? [entry.cut] : [])),
    skipped: entries.flatMap((entry) => ('skipped' in entry ? [entry.skipped] : [])),
  };
}

/** Reads a report of one finding. */
export async function onlyFinding(report: string | object): Promise<ReportFinding> {
  const { findings, skipped } = await readWhole(report);
  const [finding] = findings;
  if (findings.length !== 1 || !finding) throw new Error(`There are ${findings.length} findings: ${skipped.join()}`);
  return finding;
}

import { Invalid } from '../../common/errors/invalid.js';
import { detectFormat } from './detect-format.js';
import { readNucleiJsonl } from './nuclei-jsonl.js';
import { demandUtf8, isEmpty, utf8Of } from './report-bytes.js';
import type { Reading, Report, ReportBytes, ReportFormat } from './report-finding.js';
import { readSarif } from './sarif.js';
import { readZapJson } from './zap-json.js';
import { readZapXml } from './zap-xml.js';

const readers: Record<ReportFormat, (bytes: ReportBytes, reading: Reading) => Promise<Report>> = {
  sarif: (bytes, reading) => readSarif(() => demandUtf8(bytes()), reading),
  'zap-json': (bytes, reading) => readZapJson(() => demandUtf8(bytes()), reading),
  'zap-xml': (bytes, reading) => readZapXml(() => demandUtf8(bytes()), reading),
  // A line that is no UTF-8 is one finding that cannot be read.
  'nuclei-jsonl': readNucleiJsonl,
};

const empty =
  'The report is empty. Nuclei writes nothing where it finds nothing: then send format=nuclei-jsonl, and it is a clean ' +
  'scan. A report of any other tool broke off';

/** A report whose format is known. */
export interface OpenedReport {
  format: ReportFormat;
  bytes: ReportBytes;
}

/** Finds the format of a report by its content, where none is given. `Invalid` where it is none that is taken, or empty. */
export async function openReport(given: ReportBytes, format: ReportFormat | undefined): Promise<OpenedReport> {
  const bytes = await utf8Of(given);
  if (format !== 'nuclei-jsonl' && (await isEmpty(bytes))) throw Invalid.at(['body'], 'missing', empty);
  return { format: format ?? (await detectFormat(bytes)), bytes };
}

/** Reads a report of its format. `Invalid` where it is none. */
export function readReport({ format, bytes }: OpenedReport, reading: Reading): Promise<Report> {
  return readers[format](bytes, reading);
}

import { Invalid } from '../../platform/errors/invalid.js';
import { detectFormat } from './detect-format.js';
import { readNucleiJsonl } from './nuclei-jsonl.js';
import { assertedUtf8, isEmpty, utf8Of } from './report-bytes.js';
import type { Reading, Report, ReportBytes, ReportFormat } from './report-finding.js';
import { readSarif } from './sarif.js';
import { readZapJson } from './zap-json.js';
import { readZapXml } from './zap-xml.js';

const readers: Record<ReportFormat, (bytes: ReportBytes, reading: Reading) => Promise<Report>> = {
  sarif: (bytes, reading) => readSarif(() => assertedUtf8(bytes()), reading),
  'zap-json': (bytes, reading) => readZapJson(() => assertedUtf8(bytes()), reading),
  'zap-xml': (bytes, reading) => readZapXml(() => assertedUtf8(bytes()), reading),
  // Invalid UTF-8 spoils only its own line.
  'nuclei-jsonl': readNucleiJsonl,
};

const empty =
  'The report is empty. Nuclei writes nothing where it finds nothing: then send format=nuclei-jsonl and allowEmpty=true, and ' +
  'it is a clean scan. Any other tool did not run, or its report broke off';

/** A report of a known format. */
export interface OpenedReport {
  format: ReportFormat;
  bytes: ReportBytes;
}

/** Detects the format of a report where none is given. `Invalid` for an empty report and an unsupported format. */
export async function openReport(
  given: ReportBytes,
  format: ReportFormat | undefined,
  allowEmpty = false,
): Promise<OpenedReport> {
  const bytes = await utf8Of(given);
  if (format !== 'nuclei-jsonl' && (await isEmpty(bytes))) {
    // Of all tools whose reports are taken, only Nuclei writes an empty one.
    if (allowEmpty && format === undefined) return { format: 'nuclei-jsonl', bytes };
    throw Invalid.at(['body'], 'missing', empty);
  }
  return { format: format ?? (await detectFormat(bytes)), bytes };
}

/** Reads a report as its format. `Invalid` where it is not of that format. */
export function readReport({ format, bytes }: OpenedReport, reading: Reading): Promise<Report> {
  return readers[format](bytes, reading);
}

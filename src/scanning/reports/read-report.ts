import { detectFormat } from './detect-format.js';
import { readNucleiJsonl } from './nuclei-jsonl.js';
import { demandUtf8, utf8Of } from './report-bytes.js';
import type { Report, ReportBytes, ReportFormat } from './report-finding.js';
import { readSarif } from './sarif.js';
import { readZapJson } from './zap-json.js';

const readers: Record<ReportFormat, (bytes: ReportBytes) => Promise<Report>> = {
  sarif: (bytes) => readSarif(() => demandUtf8(bytes())),
  'zap-json': (bytes) => readZapJson(() => demandUtf8(bytes())),
  // A line that is no UTF-8 is one finding that cannot be read.
  'nuclei-jsonl': readNucleiJsonl,
};

/** Reads a report of the format, or of the one that its content tells. `Invalid` where it is none. */
export async function readReport(bytes: ReportBytes, format: ReportFormat | undefined): Promise<Report> {
  const text = await utf8Of(bytes);
  return readers[format ?? (await detectFormat(text))](text);
}

import { Invalid } from '../../platform/errors/invalid.js';
import { readBurpXml } from './burp-xml.js';
import { readCycloneDx } from './cyclonedx.js';
import { detectFormat } from './detect-format.js';
import { readGitLab } from './gitlab.js';
import { readMappedJson } from './mapped-json.js';
import { readNpmAudit } from './npm-audit.js';
import { readNucleiJsonl } from './nuclei-jsonl.js';
import { assertedUtf8, isEmpty, utf8Of } from './report-bytes.js';
import { maxTools, type Reading, type Report, type ReportBytes, type ReportFormat } from './report-finding.js';
import { readTrivy } from './trivy.js';
import { readZapJson } from './zap-json.js';
import { readZapXml } from './zap-xml.js';
import { JsonReader } from './json/index.js';
import { ReportRules } from './report-details.js';
import { ReportRemarks } from './report-remarks.js';
import { SarifResults } from './sarif-results.js';
import { readRuns } from './sarif-runs.js';
import { SarifTools } from './sarif-tools.js';

const resultsPath = 'runs[].results[]';
const runPath = 'runs[]';

/** Reads a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). `Invalid` for anything else. */
async function readSarif(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const remarks = new ReportRemarks();
  const rules = new ReportRules();
  const header = await readRuns(bytes, reading.roots, remarks);
  const { runs, unread, count } = header;
  const tools = new SarifTools(header, reading);
  const beyond = runs.some((run) => run?.hasDriver && tools.of(run) === undefined);
  return {
    format: 'sarif',
    tools: tools.all,
    remarks,
    rules,
    defaultKind: 'ASM_CODE_PROJECT',
    bracketed: true,
    count,
    isUnplaced: tools.all.every(({ about }) => about.length === 0),
    unread: beyond ? [...unread, `The report has more than ${maxTools} tools: the others are not read`] : unread,
    async *entries() {
      const results = new SarifResults(runs, { reading, tools, remarks, rules });
      for await (const hits of new JsonReader({ paths: [resultsPath] }).read(bytes())) {
        const found = hits.filter(({ path, kind }) => path === resultsPath || (path === runPath && kind !== 'object'));
        if (found.length > 0) yield found.map((hit) => results.entryOf(hit));
      }
    },
  };
}

const readers: Record<ReportFormat, (bytes: ReportBytes, reading: Reading) => Promise<Report>> = {
  sarif: (bytes, reading) => readSarif(() => assertedUtf8(bytes()), reading),
  'zap-json': (bytes, reading) => readZapJson(() => assertedUtf8(bytes()), reading),
  'zap-xml': (bytes, reading) => readZapXml(() => assertedUtf8(bytes()), reading),
  // Invalid UTF-8 spoils only its own line.
  'nuclei-jsonl': readNucleiJsonl,
  cyclonedx: (bytes, reading) => readCycloneDx(() => assertedUtf8(bytes()), reading),
  'trivy-json': (bytes, reading) => readTrivy(() => assertedUtf8(bytes()), reading),
  'npm-audit': (bytes, reading) => readNpmAudit(() => assertedUtf8(bytes()), reading),
  gitlab: (bytes, reading) => readGitLab(() => assertedUtf8(bytes()), reading),
  'burp-xml': (bytes, reading) => readBurpXml(() => assertedUtf8(bytes()), reading),
  'mapped-json': (bytes, reading) => readMappedJson(() => assertedUtf8(bytes()), reading),
};

/** The formats whose findings are in code and packages, so that the name of an asset is that of a repository. */
export const codeFormats: ReadonlySet<ReportFormat> = new Set<ReportFormat>([
  'sarif',
  'trivy-json',
  'cyclonedx',
  'npm-audit',
  'gitlab',
]);

const empty =
  'The report is empty. For a clean scan by Nuclei, which writes nothing when it finds nothing, send ' +
  'format=nuclei-jsonl and allowEmpty=true. Any other tool did not run, or its report is incomplete';

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

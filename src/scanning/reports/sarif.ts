import { JsonReader } from './json/index.js';
import { maxTools, type Reading, type Report, type ReportBytes } from './report-finding.js';
import { ReportRules } from './report-details.js';
import { ReportRemarks } from './report-remarks.js';
import { SarifResults } from './sarif-results.js';
import { readRuns } from './sarif-runs.js';
import { SarifTools } from './sarif-tools.js';

const resultsPath = 'runs[].results[]';
const runPath = 'runs[]';

/** Reads a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). `Invalid` for anything else. */
export async function readSarif(bytes: ReportBytes, reading: Reading): Promise<Report> {
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
    unread: beyond ? [...unread, `The report has more than ${maxTools} tools: those beyond are not read`] : unread,
    async *entries() {
      const results = new SarifResults(runs, { reading, tools, remarks, rules });
      for await (const hits of new JsonReader({ paths: [resultsPath] }).read(bytes())) {
        const found = hits.filter(({ path, kind }) => path === resultsPath || (path === runPath && kind !== 'object'));
        if (found.length > 0) yield found.map((hit) => results.entryOf(hit));
      }
    },
  };
}

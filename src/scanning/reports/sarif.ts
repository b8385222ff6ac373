import { jsonHits } from './json-hits.js';
import { longest, type Reading, type Report, type ReportBytes } from './report-finding.js';
import { identifierOf } from './report-text.js';
import { projectOf } from './sarif-projects.js';
import { SarifResults } from './sarif-results.js';
import { readRuns, type SarifRun, toolOf } from './sarif-runs.js';

const resultsPath = 'runs[].results[]';
const runPath = 'runs[]';
/** Unused parts of a result, often the largest. */
const leftOut = new Set([
  'attachments',
  'codeFlows',
  'fixes',
  'graphs',
  'graphTraversals',
  'relatedLocations',
  'stacks',
  'webRequest',
  'webResponse',
]);

function failureOf({ tool, failures }: SarifRun): string[] {
  const { reason } = failures;
  return reason === null ? [] : [tool.driver.name === '' ? reason : `${tool.driver.name}: ${reason}`];
}

/**
 * The category of the analysis: what precedes the last slash of a run's automation id (section 3.17.3). A log of several
 * runs has all of theirs.
 */
function categoryOf(runs: SarifRun[]): string {
  const categories = runs.map(({ automationId }) => automationId.slice(0, Math.max(0, automationId.lastIndexOf('/'))));
  const distinct = [...new Set(categories)].filter((category) => category !== '').sort();
  return identifierOf(distinct.join(' '), longest.identifier);
}

/** Reads a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). `Invalid` for anything else. */
export async function readSarif(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const { runs, unread, count } = await readRuns(bytes);
  const known = runs.filter((run) => run !== undefined);
  const { asset, fallback } = reading;
  const about = asset ? [asset] : known.flatMap((run) => projectOf(run) ?? fallback ?? []);
  return {
    format: 'sarif',
    tool: toolOf(runs),
    category: categoryOf(known),
    defaultKind: 'ASM_CODE_PROJECT',
    bracketed: true,
    about,
    count,
    isUnplaced: about.length === 0,
    failures: known.flatMap(failureOf),
    unread,
    async *entries() {
      const results = new SarifResults(runs, reading);
      for await (const hits of jsonHits(bytes(), { paths: [resultsPath], leftOut })) {
        const found = hits.filter(({ path, kind }) => path === resultsPath || (path === runPath && kind !== 'object'));
        if (found.length > 0) yield found.map((hit) => results.entryOf(hit));
      }
    },
  };
}

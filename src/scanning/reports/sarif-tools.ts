import { longest, maxTools, type Reading, type ReportTool } from './report-finding.js';
import { identifierOf } from './report-text.js';
import { projectOf } from './sarif-projects.js';
import type { SarifRun, SarifRuns } from './sarif-runs.js';

const neverBegan = 'The run has no results: the analysis did not begin (SARIF 2.1.0, section 3.14.23)';
const inOtherFiles =
  'The results of the run are in external files, which are not read: send a report that contains them';
const noRuns = 'The report has no run: it does not say that a tool ran';

/** The tools of a log: the runs of one tool belong together. */
export class SarifTools {
  readonly all: ReportTool[] = [];
  private readonly numbers = new Map<string, number>();

  constructor({ runs, hasInlineResults }: SarifRuns, reading: Reading) {
    const byTool = new Map<string, SarifRun[]>();
    for (const run of runs) {
      if (!run?.hasDriver) continue;
      const name = nameOf(run);
      const own = byTool.get(name) ?? [];
      own.push(run);
      byTool.set(name, own);
    }
    for (const [name, own] of [...byTool].slice(0, maxTools)) {
      this.numbers.set(name, this.all.length);
      this.all.push(toTool(name, own, hasInlineResults, reading));
    }
    if (this.all.length > 0) return;
    const about = reading.asset ?? reading.fallback;
    this.all.push({ name: nameless, category: '', about: about ? [about] : [], failures: [noRuns], silence: null });
  }

  /** The number of a run's tool; undefined for one of those beyond the most. */
  of(run: SarifRun): number | undefined {
    return this.numbers.get(nameOf(run));
  }
}

const nameless = 'SARIF';

function nameOf({ tool }: SarifRun): string {
  return tool.driver.name || nameless;
}

function toTool(name: string, runs: SarifRun[], hasInlineResults: boolean, reading: Reading): ReportTool {
  const { asset, fallback } = reading;
  const silent = runs.some((run) => !run.hasResults && (run.hasResultsElsewhere || hasInlineResults));
  return {
    name,
    version: runs.map(({ tool }) => tool.driver.version).find((version) => version !== '') ?? '',
    category: categoryOf(runs),
    about: asset ? [asset] : runs.flatMap((run) => projectOf(run) ?? fallback ?? []),
    failures: runs.flatMap((run) => failureOf(run, hasInlineResults)),
    silence: silent ? inOtherFiles : null,
  };
}

function failureOf(run: SarifRun, hasInlineResults: boolean): string[] {
  const { tool, failures, hasResults, hasResultsElsewhere } = run;
  const reason = failures.reason ?? (hasResults || hasResultsElsewhere || hasInlineResults ? null : neverBegan);
  return reason === null ? [] : [tool.driver.name === '' ? reason : `${tool.driver.name}: ${reason}`];
}

/**
 * The category of the analysis: what precedes the last slash of a run's automation id (section 3.17.3). A tool with several
 * runs has all of theirs.
 */
function categoryOf(runs: SarifRun[]): string {
  const categories = runs.map(({ automationId }) => automationId.slice(0, Math.max(0, automationId.lastIndexOf('/'))));
  const distinct = [...new Set(categories)].filter((category) => category !== '').sort();
  return identifierOf(distinct.join(' '), longest.identifier);
}

import { Invalid } from '../../platform/errors/invalid.js';
import { type JsonHit, JsonReader, type JsonStep, pathInWords } from './json/index.js';
import { longest, type ReportBytes } from './report-finding.js';
import { fieldsOf, textOf } from './report-text.js';
import { SarifBudget } from './sarif-budget.js';
import { SarifFailures } from './sarif-failures.js';
import { SarifFiles } from './sarif-files.js';
import { maxExtensions, maxRules, SarifTool } from './sarif-rules.js';
import type { ReportRemarks } from './report-remarks.js';
import type { SourceRoots } from './source-roots.js';

/** The repository of a run's files, or of those below one base. */
export interface SarifRepository {
  uri: string;
  baseId: string;
}

/** Everything in a run but its results, which may precede or follow. */
export interface SarifRun {
  files: SarifFiles;
  tool: SarifTool;
  hasDriver: boolean;
  repositories: SarifRepository[];
  automationId: string;
  failures: SarifFailures;
  /** Whether it has an array of results, even an empty one: else the analysis did not begin (section 3.14.23). */
  hasResults: boolean;
  /** Whether results of it are in another file (section 3.14.2). */
  hasResultsElsewhere: boolean;
}

type JsonValueHit = Extract<JsonHit, { kind: 'value' }>;

// Unspecified: how many runs of a report are read, and how many files and repositories of a run.
export const maxRuns = 1_000;
const maxArtifacts = 100_000;
const maxRepositories = 1_000;
const maxUnread = 100;

const driver = 'runs[].tool.driver';
const extensions = 'runs[].tool.extensions[]';
const paths = [
  'version',
  '$schema',
  ...['name', 'semanticVersion', 'version', 'guid', 'rules[]', 'globalMessageStrings'].map(
    (field) => `${driver}.${field}`,
  ),
  ...['name', 'guid', 'rules[]', 'globalMessageStrings'].map((field) => `${extensions}.${field}`),
  'runs[].originalUriBaseIds',
  'runs[].versionControlProvenance[]',
  'runs[].automationDetails.id',
  'runs[].defaultSourceLanguage',
  'runs[].artifacts[]',
  'runs[].invocations[].workingDirectory',
  ...SarifFailures.fields.map((field) => `runs[].invocations[].${field}`),
];
const results = 'runs[].results';
/** Where results outside the runs may be. */
const inOtherFiles = 'runs[].externalPropertyFileReferences.results[]';
const inline = 'inlineExternalProperties[].results[]';

function emptyRun(roots: SourceRoots): SarifRun {
  return {
    tool: new SarifTool(),
    hasDriver: false,
    repositories: [],
    automationId: '',
    files: new SarifFiles(roots),
    failures: new SarifFailures(),
    hasResults: false,
    hasResultsElsewhere: false,
  };
}

function addRepository(run: SarifRun, value: unknown, budget: SarifBudget): void {
  const { repositoryUri, mappedTo } = fieldsOf(value);
  const uri = textOf(repositoryUri, longest.url);
  const baseId = textOf(fieldsOf(mappedTo)['uriBaseId'], 200);
  if (uri !== '' && budget.takes(1, uri.length + baseId.length)) run.repositories.push({ uri, baseId });
}

function describeTool({ tool }: SarifRun, hit: JsonValueHit, budget: SarifBudget, remarks: ReportRemarks): void {
  const [, , , where, ...at] = hit.at;
  const { value } = hit;
  const component = where === 'driver' ? tool.driver : tool.extension(Number(at.shift()), budget);
  if (!component) return;
  const [field, index] = at;
  if (field === 'name') component.name = textOf(value, longest.name);
  if (field === 'version' || (field === 'semanticVersion' && component.version === '')) {
    component.version = textOf(value, 100);
  }
  if (field === 'guid') component.guid = textOf(value, 100);
  if (field === 'rules') component.add(Number(index), value, budget, remarks);
  if (field === 'globalMessageStrings') component.setGlobalMessages(value, budget);
}

function describe(run: SarifRun, hit: JsonValueHit, budget: SarifBudget, remarks: ReportRemarks): void {
  const { value } = hit;
  const [, , field, index, ...rest] = hit.at;
  if (field === 'tool') describeTool(run, hit, budget, remarks);
  if (field === 'originalUriBaseIds') run.files.setBases(value, budget);
  if (field === 'versionControlProvenance') addRepository(run, value, budget);
  if (field === 'automationDetails') run.automationId = textOf(value, longest.name);
  if (field === 'defaultSourceLanguage') run.files.defaultLanguage = textOf(value, 100);
  if (field === 'artifacts') run.files.addArtifact(Number(index), value, budget);
  if (field === 'invocations' && rest[0] === 'workingDirectory') run.files.addWorkingDirectory(value, budget);
  else if (field === 'invocations') run.failures.take(String(rest[0]), value);
}

/** The reason why a value at this place exceeds the bounds of runs and lists; null if it does not. */
function beyond(at: JsonStep[]): string | null {
  const [, run, list, part, inTool] = at;
  if (Number(run) >= maxRuns) return `more than ${maxRuns} runs: the others are not read`;
  if (list === 'artifacts' && Number(part) >= maxArtifacts) return `more than ${maxArtifacts} artifacts in a run`;
  if (list === 'versionControlProvenance' && Number(part) >= maxRepositories) {
    return `more than ${maxRepositories} repositories in a run`;
  }
  if (list !== 'tool') return null;
  if (part === 'extensions' && Number(inTool) >= maxExtensions)
    return `more than ${maxExtensions} extensions of a tool`;
  return Number(at[part === 'driver' ? 5 : 6] ?? 0) >= maxRules ? `more than ${maxRules} rules in a tool` : null;
}

/** Everything in a report beside its results. */
class SarifHeader {
  readonly runs: SarifRun[] = [];
  readonly unread = new Set<string>();
  /** How many runs are none. */
  otherRuns = 0;
  private readonly budget = new SarifBudget();
  private hasRuns = false;
  private count = 0;
  private version = '';
  private schema = '';
  /** Whether the log holds results outside of its runs. */
  hasInlineResults = false;

  constructor(
    private readonly roots: SourceRoots,
    private readonly remarks: ReportRemarks,
  ) {}

  take(hit: JsonHit): void {
    if (hit.path === 'runs[]' && hit.kind !== 'object') this.otherRuns++;
    if (hit.path === 'runs') this.hasRuns = hit.kind === 'array';
    if (hit.path === inOtherFiles || hit.path === inline) {
      this.note(`${pathInWords(hit.at.slice(0, -1))} holds or references results that are not read`);
      this.hasInlineResults ||= hit.path === inline;
    }
    if (hit.path === results && hit.kind !== 'array') throw noArray(hit.at);
    if (hit.at[0] === 'runs' && hit.at.length > 1) this.takeOfRun(hit);
    if (hit.kind !== 'value') return;
    if (hit.path === 'version') this.version = textOf(hit.value, 100);
    if (hit.path === '$schema') this.schema = textOf(hit.value, 500);
  }

  /** Throws `Invalid` for a document that only resembles a report: it must not pass as one without findings. */
  assertSarif(): void {
    if (!this.hasRuns)
      throw Invalid.at(['body', 'runs'], 'missing', 'This is not a SARIF report: it has no array of runs');
    const schema = this.schema.toLowerCase();
    const named = schema.includes('sarif') && schema.includes('2.1.0');
    const fits = this.version === '' ? named : this.version.startsWith('2.1.');
    if (!fits) {
      const version = this.version === '' ? 'no version' : `it is of version ${this.version}`;
      const msg = `Only SARIF 2.1.0 is supported, and the report says ${version}`;
      throw Invalid.at(['body', 'version'], 'value_error', msg);
    }
    if (this.count === 0 || this.runs.some((run) => run?.hasDriver)) return;
    const at = ['body', 'runs', 0, 'tool', 'driver'];
    throw Invalid.at(at, 'missing', 'This is not a SARIF report: none of its runs has a tool');
  }

  private takeOfRun(hit: JsonHit): void {
    const reason = beyond(hit.at);
    if (reason !== null) return this.note(`The report has ${reason}`);
    const index = Number(hit.at[1]);
    this.count = Math.max(this.count, index + 1);
    if (hit.kind === 'scalar' || (hit.path === 'runs[]' && hit.kind !== 'object')) return;
    const run = (this.runs[index] ??= emptyRun(this.roots));
    if (hit.path === results) run.hasResults = true;
    if (hit.path === inOtherFiles) run.hasResultsElsewhere = true;
    if (hit.path === driver && hit.kind === 'object') run.hasDriver = true;
    if (hit.kind !== 'value') return;
    if (hit.fault !== null) return this.note(`${pathInWords(hit.at)} ${hit.fault}: it is not read`);
    describe(run, hit, this.budget, this.remarks);
    if (this.budget.isSpent) this.note(`The report has ${SarifBudget.spentInWords}`);
  }

  private note(reason: string): void {
    if (this.unread.size < maxUnread) this.unread.add(reason);
  }
}

function noArray(at: JsonStep[]): Invalid {
  return Invalid.at(['body', ...at], 'list_type', `${pathInWords(at)} should be an array: the results of the run`);
}

/** Everything in a SARIF report but its results, with the parts that were not read. */
export interface SarifRuns {
  runs: (SarifRun | undefined)[];
  unread: string[];
  /** The number of results and non-runs that `SarifResults` will read. */
  count: number;
  /** Whether the log holds results outside of its runs. */
  hasInlineResults: boolean;
}

/**
 * Reads everything in a SARIF report but its results. Throws `Invalid` for anything else, for another version, and for
 * results that are not an array.
 */
export async function readRuns(bytes: ReportBytes, roots: SourceRoots, remarks: ReportRemarks): Promise<SarifRuns> {
  const header = new SarifHeader(roots, remarks);
  const reader = new JsonReader({
    paths,
    watched: [results, inOtherFiles, inline],
    counted: `${results}[]`,
  });
  for await (const hits of reader.read(bytes())) hits.forEach((hit) => header.take(hit));
  header.assertSarif();
  const count = reader.counted + header.otherRuns;
  const { runs, hasInlineResults } = header;
  return { runs, unread: [...header.unread], count, hasInlineResults };
}

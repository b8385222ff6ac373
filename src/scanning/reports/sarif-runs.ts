import { Invalid } from '../../common/errors/invalid.js';
import { PayloadTooLarge } from '../../common/errors/kinds.js';
import { jsonHits } from './json-hits.js';
import type { JsonHit, JsonStep } from './json-selector.js';
import { longest, type ReportBytes } from './report-finding.js';
import { fieldsOf, textOf } from './report-text.js';
import type { SarifFiles } from './sarif-locations.js';
import { SarifTool } from './sarif-rules.js';

/** All of a run but its results, which may stand before it or behind. */
export interface SarifRun extends SarifFiles {
  tool: SarifTool;
  hasDriver: boolean;
  repository: string;
  automationId: string;
}

// Not shown: how many files a report may list.
const maxArtifacts = 100_000;

const driver = 'runs[].tool.driver';
const extensions = 'runs[].tool.extensions[]';
const paths = [
  'version',
  '$schema',
  ...['name', 'guid', 'rules[]', 'globalMessageStrings'].map((field) => `${driver}.${field}`),
  ...['name', 'guid', 'rules[]', 'globalMessageStrings'].map((field) => `${extensions}.${field}`),
  'runs[].originalUriBaseIds',
  'runs[].versionControlProvenance[]',
  'runs[].automationDetails.id',
  'runs[].defaultSourceLanguage',
  'runs[].artifacts[]',
];
/** The long texts and the copies of files, which nothing here asks for. */
const leftOut = new Set(['help', 'contents', 'hashes']);

function emptyRun(): SarifRun {
  return {
    tool: new SarifTool(),
    hasDriver: false,
    repository: '',
    automationId: '',
    bases: {},
    artifacts: [],
    defaultLanguage: '',
  };
}

function addArtifact(run: SarifRun, index: number, value: unknown): void {
  if (index >= maxArtifacts)
    throw new PayloadTooLarge(`The report lists more than ${maxArtifacts} artifacts: split it`);
  const { location, sourceLanguage } = fieldsOf(value);
  const { uri, uriBaseId } = fieldsOf(location);
  run.artifacts[index] = { location: { uri, uriBaseId }, sourceLanguage };
}

function describeTool({ tool }: SarifRun, [, , , where, ...at]: JsonStep[], value: unknown): void {
  const component = where === 'driver' ? tool.driver : tool.extension(Number(at.shift()));
  const [field, index] = at;
  if (field === 'name') component.name = textOf(value, longest.name);
  if (field === 'guid') component.guid = textOf(value, 100);
  if (field === 'rules') component.add(Number(index), value);
  if (field === 'globalMessageStrings') component.setGlobalMessages(value);
}

function describe(run: SarifRun, at: JsonStep[], value: unknown): void {
  const [, , field, index] = at;
  if (field === 'tool') describeTool(run, at, value);
  if (field === 'originalUriBaseIds') run.bases = fieldsOf(value);
  if (field === 'versionControlProvenance' && index === 0) {
    run.repository = textOf(fieldsOf(value)['repositoryUri'], longest.url);
  }
  if (field === 'automationDetails') run.automationId = textOf(value, longest.name);
  if (field === 'defaultSourceLanguage') run.defaultLanguage = textOf(value, 100);
  if (field === 'artifacts') addArtifact(run, Number(index), value);
}

// Not shown: how many runs a report may have.
const maxRuns = 1_000;

/** What a report says beside its results. */
class SarifHeader {
  readonly runs: SarifRun[] = [];
  hasRuns = false;
  version = '';
  schema = '';

  take(hit: JsonHit): void {
    if (hit.path === 'runs') this.hasRuns = hit.kind === 'array';
    if (hit.at[0] === 'runs' && hit.at.length > 1) this.takeOfRun(this.run(Number(hit.at[1])), hit);
    if (hit.kind !== 'value') return;
    if (hit.path === 'version') this.version = textOf(hit.value, 100);
    if (hit.path === '$schema') this.schema = textOf(hit.value, 500);
  }

  demandSarif(): void {
    if (!this.hasRuns)
      throw Invalid.at(['body', 'runs'], 'missing', 'This is no SARIF report: it has no array of runs');
    const fits = this.version === '' ? /sarif.*2\.1\.0/i.test(this.schema) : this.version.startsWith('2.1.');
    if (!fits) {
      const msg = `SARIF 2.1.0 is taken, and the report says ${this.version === '' ? 'no version' : `it is of version ${this.version}`}`;
      throw Invalid.at(['body', 'version'], 'value_error', msg);
    }
    for (let index = 0; index < this.runs.length; index++) {
      if (this.runs[index]?.hasDriver) continue;
      throw Invalid.at(
        ['body', 'runs', index, 'tool', 'driver'],
        'missing',
        'This is no SARIF report: a run has no tool',
      );
    }
  }

  private takeOfRun(run: SarifRun, hit: JsonHit): void {
    if (hit.path === driver && hit.kind === 'object') run.hasDriver = true;
    if (hit.kind === 'value') describe(run, hit.at, hit.value);
  }

  private run(index: number): SarifRun {
    if (index >= maxRuns) throw new PayloadTooLarge(`The report has more than ${maxRuns} runs: split it`);
    return (this.runs[index] ??= emptyRun());
  }
}

/** Reads all of a SARIF report but its results. Throws `Invalid` for what is none, or of another version. */
export async function readRuns(bytes: ReportBytes): Promise<SarifRun[]> {
  const header = new SarifHeader();
  for await (const hits of jsonHits(bytes(), { paths, leftOut })) hits.forEach((hit) => header.take(hit));
  header.demandSarif();
  return header.runs;
}

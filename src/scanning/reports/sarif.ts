import type { AssetDraft } from '../assets/asset-draft.js';
import type { IssueSeverity } from '../vocabulary.js';
import { categoryOfCwes } from './cwe-category.js';
import { jsonHits } from './json-hits.js';
import type { JsonHit } from './json-selector.js';
import { codeProject, frontendAt } from './report-assets.js';
import { longest, type Report, type ReportBytes, type ReportEntry, type ReportFinding } from './report-finding.js';
import {
  type Fields,
  fieldsOf,
  firstText,
  identifierOf,
  listOf,
  paragraphs,
  shortened,
  textOf,
} from './report-text.js';
import { inWords, placesOf, type SarifPlace, snippetsOf, targetsOf } from './sarif-locations.js';
import { cwesInProperties, cwesOfTaxon, levelOf, type SarifLevel, type SarifRule, scoreOf } from './sarif-rules.js';
import { readRuns, type SarifRun } from './sarif-runs.js';

const resultsPath = 'runs[].results[]';
/** What a result says beside what became wrong where: often the most of it. */
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

const severityOfLevel: Record<SarifLevel, IssueSeverity> = {
  error: 'HIGH',
  warning: 'MEDIUM',
  note: 'LOW',
  none: 'INFO',
};

function severityOfScore(score: number | null): IssueSeverity | null {
  if (score === null || score <= 0) return null;
  if (score >= 9) return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  return score >= 4 ? 'MEDIUM' : 'LOW';
}

function severityOf(result: Fields, rule: SarifRule | undefined): IssueSeverity {
  const score = scoreOf(fieldsOf(result['properties'])) ?? rule?.score ?? null;
  const rated = severityOfScore(score);
  if (rated) return rated;
  const given = levelOf(result['level']);
  if (given) return severityOfLevel[given];
  // Section 3.27.10: what is no failure is of level none.
  const isFailure = firstText(50, result['kind'], 'fail') === 'fail';
  return severityOfLevel[isFailure ? (rule?.level ?? 'warning') : 'none'];
}

const placeholder = /\{(\d{1,3})\}/g;

/** The message with its arguments in place (section 3.11). */
function messageOf(result: Fields, rule: SarifRule | undefined, global: Map<string, string>): string {
  const message = fieldsOf(result['message']);
  const id = textOf(message['id'], 200);
  const template = firstText(
    longest.context,
    message['text'],
    message['markdown'],
    rule?.messages.get(id),
    global.get(id),
  );
  const given = listOf(message['arguments']);
  if (given.length === 0) return template;
  const filled = template.replace(placeholder, (whole, index: string) => textOf(given[Number(index)], 4_000) || whole);
  return shortened(filled, longest.context);
}

/** Section 3.35.3, as tools read it: one suppression that is under review or rejected, and the result stands. */
function isSuppressed(result: Fields): boolean {
  const suppressions = listOf(result['suppressions']).map((suppression) => fieldsOf(suppression)['status']);
  return suppressions.length > 0 && !suppressions.some((status) => status === 'underReview' || status === 'rejected');
}

// Not shown: results that say that there is nothing wrong; they are no issues, and are named among the skipped.
function reasonToSkip(result: Fields): string | null {
  if (result['kind'] === 'pass') return 'The result says that the rule was kept (kind "pass")';
  if (result['kind'] === 'notApplicable') return 'The result says that the rule does not apply (kind "notApplicable")';
  if (result['baselineState'] === 'absent') return 'The result is no longer there (baselineState "absent")';
  return null;
}

/**
 * Not shown: which part of an automation id names the project. Its last component may be the run's own (section 3.17.3),
 * and would make every run another project.
 */
function projectOf({ repository, automationId, tool }: SarifRun): AssetDraft {
  if (repository !== '') return codeProject(repository.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/@]*@/i, '$1'));
  const slash = automationId.lastIndexOf('/');
  return codeProject((slash > 0 ? automationId.slice(0, slash) : automationId) || toolName(tool.driver.name));
}

function toolName(name: string): string {
  return name === '' ? 'SARIF' : name;
}

function sorted(fingerprints: Fields): [string, string][] {
  const entries = Object.entries(fingerprints).map(([key, value]): [string, string] => [
    key,
    textOf(value, longest.context),
  ]);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Reads the results of a report, one after the other: equal ones are told apart by their order. */
class SarifResults {
  private readonly times = new Map<string, number>();

  constructor(private readonly runs: SarifRun[]) {}

  entryOf(hit: JsonHit): ReportEntry {
    const run = this.runs[Number(hit.at[1])];
    if (hit.kind !== 'value' || !run) return { skipped: 'The result is no object' };
    if (hit.tooLarge) return { skipped: 'The result is too large' };
    const result = fieldsOf(hit.value);
    const reason = reasonToSkip(result);
    return reason === null ? this.read(run, result) : { skipped: reason };
  }

  private read(run: SarifRun, result: Fields): ReportEntry {
    const { id, rule, component } = run.tool.ruleOf(result);
    const message = messageOf(result, rule, component.globalMessages);
    const name = firstText(longest.name, rule?.title, id, message.split('\n')[0]);
    if (name === '') return { skipped: 'The result has neither a rule nor a message' };
    const places = placesOf(result, run);
    const asset = assetOf(run, places);
    const test = identifierOf(id, longest.identifier);
    const finding: ReportFinding = {
      asset,
      name,
      severity: severityOf(result, rule),
      category: categoryOfCwes(cwesOf(result, rule)),
      context: contextOf(message, id, rule, places),
      ...(test === '' ? {} : { securityTestUid: test }),
      fingerprint: this.fingerprint(asset, id, places[0], result, message),
      ...(isSuppressed(result) ? { status: 'IGNORED' } : {}),
      targets: targetsOf(places),
      event: { title: titleOf(name, places[0]), description: message || name, attachments: snippetsOf(places) },
    };
    return { finding };
  }

  private fingerprint(
    asset: AssetDraft,
    id: string,
    place: SarifPlace | undefined,
    result: Fields,
    message: string,
  ): string {
    const own = [result['fingerprints'], result['partialFingerprints']].map((prints) => sorted(fieldsOf(prints)));
    const parts = JSON.stringify([id, place?.address ?? '', own.find((prints) => prints.length > 0) ?? message]);
    const key = identifierOf(`${asset.class} ${asset.name} ${parts}`, 66);
    const times = this.times.get(key) ?? 0;
    this.times.set(key, times + 1);
    return times === 0 ? parts : `${parts} ${times + 1}`;
  }
}

function assetOf(run: SarifRun, places: SarifPlace[]): AssetDraft {
  const [first] = places;
  return first?.kind === 'page' ? frontendAt(new URL(first.address)) : projectOf(run);
}

function cwesOf(result: Fields, rule: SarifRule | undefined): number[] {
  const own = [...cwesInProperties(fieldsOf(result['properties'])), ...listOf(result['taxa']).flatMap(cwesOfTaxon)];
  return [...own, ...(rule?.cwes ?? [])];
}

function contextOf(message: string, id: string, rule: SarifRule | undefined, places: SarifPlace[]): string {
  const where = places.slice(0, 20).map(({ address, line }) => inWords(address, line));
  const about = rule && rule.description !== message ? rule.description : '';
  const parts = [message, about, where.join('\n'), id === '' ? '' : `Rule ${id}`, rule?.helpUri ?? ''];
  return paragraphs(parts, longest.context);
}

function titleOf(name: string, place: SarifPlace | undefined): string {
  return place ? `${name} in ${shortened(inWords(place.address, place.line), 200)}` : name;
}

/** Reads a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). `Invalid` for what is none. */
export async function readSarif(bytes: ReportBytes): Promise<Report> {
  const runs = await readRuns(bytes);
  return {
    format: 'sarif',
    tool: toolName(runs[0]?.tool.driver.name ?? ''),
    defaultKind: 'ASM_CODE_PROJECT',
    bracketed: true,
    async *entries() {
      const results = new SarifResults(runs);
      for await (const hits of jsonHits(bytes(), { paths: [resultsPath], leftOut })) {
        const entries = hits.filter(({ path }) => path === resultsPath).map((hit) => results.entryOf(hit));
        if (entries.length > 0) yield entries;
      }
    },
  };
}

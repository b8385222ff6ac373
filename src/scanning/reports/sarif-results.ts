import { sha256 } from '../../platform/crypto/digests.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { categoryOfCwes } from './cwe-category.js';
import { Cuts } from './cuts.js';
import type { JsonHit } from './json/index.js';
import { frontendAt } from './report-assets.js';
import {
  type ExchangeMessage,
  longest,
  maxFindings,
  maxTools,
  most,
  type Reading,
  type ReportAttachment,
  type ReportEntry,
  type ReportFinding,
} from './report-finding.js';
import {
  canonicalJson,
  type Fields,
  fieldsOf,
  firstText,
  identifierOf,
  listOf,
  numberOf,
  shortened,
  textOf,
} from './report-text.js';
import { detailJson, type ReportRules } from './report-details.js';
import type { ReportRemarks } from './report-remarks.js';
import { detailOf, keptOfResult } from './sarif-details.js';
import type { SarifTools } from './sarif-tools.js';
import { absolutePathsOf, inWords, placesOf, type SarifPlace, snippetsOf, targetsOf } from './sarif-locations.js';
import { projectOf } from './sarif-projects.js';
import {
  cwesInProperties,
  cwesOfTaxon,
  formerIdsOf,
  levelOf,
  type SarifLevel,
  type SarifRule,
  scoreOf,
} from './sarif-rules.js';
import { maxRuns, type SarifRun } from './sarif-runs.js';
import type { IssueSeverity } from '../vocabulary.js';

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

/**
 * The severity of a result: by its score or its rule's, else by its level or its rule's; informational ones are INFO.
 */
function severityOf(result: Fields, rule: SarifRule | undefined): IssueSeverity {
  const kind = firstText(50, result['kind'], 'fail');
  if (kind === 'informational') return 'INFO';
  const rated = severityOfScore(scoreOf(fieldsOf(result['properties'])) ?? rule?.score ?? null);
  if (rated) return rated;
  const given = levelOf(result['level']);
  if (given) return severityOfLevel[given];
  // Section 3.27.10: a result that is no failure has the level none.
  return severityOfLevel[kind === 'fail' ? (rule?.level ?? 'warning') : 'none'];
}

const maxHeaders = 200;
const maxHeader = 8_192;
const maxBody = 64 * 1024;

function messageIn(given: Fields, cuts: Cuts): ExchangeMessage {
  const fields = cuts.list(Object.entries(fieldsOf(given['headers'])), maxHeaders, 'headers');
  const headers = Object.fromEntries(fields.map(([name, value]) => [textOf(name, 256), textOf(value, maxHeader)]));
  const body = cuts.code(fieldsOf(given['body'])['text'], maxBody, 'the body of a request or response');
  return { headers, ...(body === '' ? {} : { body }) };
}

/** The request and response of a result (SARIF 2.1.0, sections 3.46 and 3.47). */
function exchangesOf(result: Fields, cuts: Cuts): ReportAttachment[] {
  const [sent, received] = [fieldsOf(result['webRequest']), fieldsOf(result['webResponse'])];
  const url = textOf(sent['target'], longest.url);
  if (url === '') return [];
  const status = numberOf(received['statusCode']);
  const isStatus = status !== null && Number.isInteger(status) && status >= 100 && status <= 999;
  const request = { method: textOf(sent['method'], 30) || 'GET', url, ...messageIn(sent, cuts) };
  const response = isStatus ? { response: { status, ...messageIn(received, cuts) } } : {};
  return [{ type: 'EXCHANGE', exchange: { request, ...response } }];
}

/** How many bases of a run are cached. */
const maxBases = 1_000;
const placeholder = /\{(\d{1,3})\}/g;

/** The message with its arguments filled in (section 3.11). */
function messageOf(result: Fields, rule: SarifRule | undefined, global: Map<string, string>, cuts: Cuts): string {
  const message = fieldsOf(result['message']);
  const id = textOf(message['id'], 200);
  const templates = [message['text'], message['markdown'], rule?.messages.get(id), global.get(id)];
  const template = cuts.firstText(longest.context, 'the message', ...templates);
  const given = listOf(message['arguments']);
  if (given.length === 0) return template;
  return cuts.shortened(filledWith(given, template, cuts), longest.context, 'the message');
}

/** Fills in the arguments, each read once, up to the length that is kept. */
function filledWith(given: unknown[], template: string, cuts: Cuts): string {
  const read = new Map<number, string>();
  let [filled, from] = ['', 0];
  for (const match of template.matchAll(placeholder)) {
    if (filled.length > longest.context) return filled;
    const index = Number(match[1]);
    const argument = read.get(index) ?? cuts.text(given[index], 4_000, 'an argument of the message');
    read.set(index, argument);
    filled += template.slice(from, match.index) + (argument || match[0]);
    from = match.index + match[0].length;
  }
  return filled + template.slice(from);
}

/** Section 3.35.3, as tools read it: a single suppression that is under review or rejected leaves the result open. */
function isSuppressed(result: Fields): boolean {
  const suppressions = listOf(result['suppressions']).map((suppression) => fieldsOf(suppression)['status']);
  return suppressions.length > 0 && !suppressions.some((status) => status === 'underReview' || status === 'rejected');
}

// Unspecified: results that report no problem. They are skipped.
function reasonToSkip(result: Fields): string | null {
  if (result['kind'] === 'pass') return 'The result says that the check passed (kind "pass")';
  if (result['kind'] === 'notApplicable') return 'The result says that the rule does not apply (kind "notApplicable")';
  return null;
}

/** A fingerprint may be any value, and is compared as a whole. */
function printOf(value: unknown): string {
  return textOf(value, longest.context) || (value === null || value === undefined ? '' : canonicalJson(value));
}

function sorted(fingerprints: Fields): [string, string][] {
  const entries = Object.entries(fingerprints).map(([key, value]): [string, string] => [key, printOf(value)]);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

const unplaced = 'The result names neither a page nor a repository: name its asset with the query parameter asset';

/** How often equal results came, by what their rules are called, and by what they were called before. */
interface Times {
  own: Map<string, number>;
  former: Map<string, number>;
}

const newTimes = (): Times => ({ own: new Map(), former: new Map() });

/** Reads the results of a report in order, which distinguishes equal ones. */
export class SarifResults {
  private readonly times = newTimes();
  private readonly timesAbsent = newTimes();
  private count = 0;
  /** The project of each run and base, cached: there are far fewer than results. */
  private readonly projects = new Map<SarifRun, Map<string, AssetDraft | null>>();

  private readonly reading: Reading;

  constructor(
    private readonly runs: readonly (SarifRun | undefined)[],
    private readonly known: { reading: Reading; tools: SarifTools; remarks: ReportRemarks; rules: ReportRules },
  ) {
    this.reading = known.reading;
  }

  entryOf(hit: JsonHit): ReportEntry {
    // Results beyond the bound leave nothing in memory.
    if (++this.count > maxFindings) return { skipped: `More than ${maxFindings} results` };
    const index = Number(hit.at[1]);
    if (index >= maxRuns) return { skipped: `The report has more than ${maxRuns} runs` };
    if (hit.at.length < 3) return { skipped: 'The run is not an object' };
    const run = this.runs[index];
    if (!run?.hasDriver) return { skipped: 'The run of the result has no tool' };
    const tool = this.known.tools.of(run);
    if (tool === undefined) return { skipped: `The report has more than ${maxTools} tools` };
    const entry = this.resultIn(run, hit);
    if ('skipped' in entry) return { ...entry, tool };
    if (tool > 0) entry.finding.tool = tool;
    return entry;
  }

  private resultIn(run: SarifRun, hit: JsonHit): ReportEntry {
    if (hit.kind !== 'value') return { skipped: 'The result is not an object' };
    if (hit.fault !== null) return { skipped: `The result ${hit.fault}` };
    if (typeof hit.value !== 'object' || hit.value === null || Array.isArray(hit.value)) {
      return { skipped: 'The result is not an object' };
    }
    const result = fieldsOf(hit.value);
    const reason = reasonToSkip(result);
    if (reason !== null) return { skipped: reason, isNone: true };
    return result['baselineState'] === 'absent' ? this.readAbsent(run, result) : this.read(run, result, this.times);
  }

  private readAbsent(run: SarifRun, result: Fields): ReportEntry {
    const skipped = 'The result says that the finding is gone (baselineState "absent")';
    const entry = this.read(run, result, this.timesAbsent);
    return 'finding' in entry ? { skipped, isNone: true, absent: entry.finding } : { skipped, isNone: true };
  }

  private read(run: SarifRun, result: Fields, times: Times): ReportEntry {
    const cuts = new Cuts();
    const { id, rule, component } = run.tool.ruleOf(result);
    const message = messageOf(result, rule, component.globalMessages, cuts);
    const titled = cuts.firstText(longest.name, 'the name', rule?.title, id);
    const name = titled || firstText(longest.name, message.split('\n', 1)[0]);
    if (name === '') return { skipped: 'The result has neither a rule nor a message' };
    const places = placesOf(result, run.files, cuts);
    const asset = this.reading.asset ?? this.assetOf(run, places) ?? this.reading.fallback;
    if (!asset) return { skipped: unplaced, unplaced: true };
    const test = identifierOf(id, longest.identifier);
    const cwes = cwesOf(result, rule);
    const { remarks } = this.known;
    remarks.compare(result, keptOfResult, 'results[]');
    remarks.addAbsolute(absolutePathsOf(places));
    const exchanges = exchangesOf(result, cuts);
    const ruleDigest = this.digestOf(id, rule, cuts);
    const printUnder = (ruleId: string, of: Map<string, number>) =>
      fingerprintOf(asset, ruleId, places[0], result, run.files.withoutRoots(message), of);
    const formerly = formerIdsOf(id, rule).map((former) => ({
      securityTestUid: identifierOf(former, longest.identifier),
      fingerprint: printUnder(former, times.former),
    }));
    const detail = detailOf(result, rule, { message, cwes, id }, run.files, cuts);
    const finding: ReportFinding = {
      asset,
      name,
      severity: severityOf(result, rule),
      category: categoryOfCwes(cwes),
      context: contextOf(message, id, rule, places, cuts),
      ...(test === '' ? {} : { securityTestUid: test }),
      fingerprint: printUnder(id, times.own),
      ...(formerly.length === 0 ? {} : { formerly }),
      ...(isSuppressed(result) ? { status: 'IGNORED' } : {}),
      targets: targetsOf(places),
      detail: detailJson(detail, cuts),
      ...(ruleDigest === null ? {} : { ruleDigest }),
      event: {
        title: titleOf(name, places[0]),
        description: message || name,
        attachments: [...snippetsOf(places, cuts), ...exchanges],
      },
    };
    return { finding, cut: cuts.reason };
  }

  /** The digest under which the rule of a result is kept; null if nothing is known of it. */
  private digestOf(id: string, rule: SarifRule | undefined, cuts: Cuts): string | null {
    if (!rule) return id === '' ? null : this.known.rules.add({ id: identifierOf(id, longest.identifier) }, cuts);
    if (rule.digest === undefined) rule.digest = this.known.rules.add({ ...rule.found, id: rule.found.id || id }, cuts);
    return rule.digest;
  }

  private assetOf(run: SarifRun, [first]: SarifPlace[]): AssetDraft | null {
    if (first?.kind === 'page') return frontendAt(new URL(first.address));
    const baseId = first?.baseId ?? '';
    const known = this.projects.get(run) ?? new Map<string, AssetDraft | null>();
    this.projects.set(run, known);
    const project = known.get(baseId);
    if (project !== undefined) return project;
    const found = projectOf(run, baseId);
    if (known.size < maxBases) known.set(baseId, found);
    return found;
  }
}

/** Equal ones are told apart by their order, which `times` counts. */
function fingerprintOf(
  asset: AssetDraft,
  id: string,
  place: SarifPlace | undefined,
  result: Fields,
  message: string,
  times: Map<string, number>,
): string {
  const own = [result['fingerprints'], result['partialFingerprints']].map((prints) => sorted(fieldsOf(prints)));
  const parts = JSON.stringify([id, place?.address ?? '', own.find((prints) => prints.length > 0) ?? message]);
  // Digests are short, however long the texts of a report are.
  const key = sha256(`${asset.class} ${asset.name} ${parts}`);
  const time = (times.get(key) ?? 0) + 1;
  times.set(key, time);
  return time === 1 ? parts : `${parts} ${time}`;
}

function cwesOf(result: Fields, rule: SarifRule | undefined): number[] {
  const own = [...cwesInProperties(fieldsOf(result['properties'])), ...listOf(result['taxa']).flatMap(cwesOfTaxon)];
  return [...own, ...(rule?.cwes ?? [])];
}

function contextOf(message: string, id: string, rule: SarifRule | undefined, places: SarifPlace[], cuts: Cuts): string {
  const described = cuts.list(places, most.described, 'locations in words');
  const where = described.map(({ address, line }) => inWords(address, line));
  const about = rule && rule.description !== message ? rule.description : '';
  const parts = [message, about, where.join('\n'), id === '' ? '' : `Rule ${id}`, rule?.helpUri ?? ''];
  return cuts.shortened(parts.filter((part) => part !== '').join('\n\n'), longest.context, 'the context');
}

function titleOf(name: string, place: SarifPlace | undefined): string {
  return place ? `${name} in ${shortened(inWords(place.address, place.line), 200)}` : name;
}

import type { ImportedIssue, IssueSeverity } from '@store-service/sdk';
import type { ImportedReport } from './verdict.js';

const levels: Record<IssueSeverity, string> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
  INFO: 'note',
};
const scores: Record<IssueSeverity, string> = { CRITICAL: '9.5', HIGH: '8.0', MEDIUM: '5.5', LOW: '2.0', INFO: '0.0' };
const states = { CREATED: 'new', REOPENED: 'new', SEEN: 'unchanged', GONE: 'absent' } as const;

function uriOf(place: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place) ? place : encodeURI(place.toWellFormed());
}

function resultOf({ id, rule, name, severity, outcome, unmerged, place, line, message }: ImportedIssue): object {
  const region = typeof line === 'number' ? { region: { startLine: line } } : {};
  const location = (uri: string) => ({ physicalLocation: { artifactLocation: { uri: uriOf(uri) }, ...region } });
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: message || name },
    baselineState: unmerged ? 'new' : states[outcome],
    partialFingerprints: { 'storeIssue/v1': id },
    properties: { severity, name, 'security-severity': scores[severity] },
    ...(place === null ? {} : { locations: [location(place)] }),
  };
}

/** Elements with commas between them, one a line. */
async function* separated(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = '\n';
  for await (const text of texts) {
    yield `${separator}        ${text}`;
    separator = ',\n';
  }
}

async function* resultsOf({ list }: ImportedReport): AsyncGenerator<string> {
  if (!list) return;
  for await (const issue of list.issues()) yield JSON.stringify(resultOf(issue));
}

async function* rulesOf({ list }: ImportedReport): AsyncGenerator<string> {
  const known = new Set<string>();
  if (!list) return;
  for await (const { rule, severity } of list.issues()) {
    if (known.has(rule)) continue;
    known.add(rule);
    yield JSON.stringify({ id: rule, properties: { 'security-severity': scores[severity] } });
  }
}

async function* runOf(report: ImportedReport): AsyncGenerator<string> {
  yield `    {\n      "tool": { "driver": { "name": ${JSON.stringify(report.result.scan.application.name)}, "rules": [`;
  yield* separated(rulesOf(report));
  yield `\n      ] } },\n      "results": [`;
  yield* separated(resultsOf(report));
  yield '\n      ]\n    }';
}

/** All issues as SARIF 2.1.0, each new, unchanged or absent, in pieces. */
export async function* toSarif(reports: readonly ImportedReport[]): AsyncGenerator<string> {
  yield '{\n  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",\n  "version": "2.1.0",\n  "runs": [';
  let separator = '\n';
  for (const report of reports) {
    yield separator;
    yield* runOf(report);
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}

import type { ImportedIssue } from '../../scanning/reports/reports.shapes.js';
import type { Severity } from './severities.js';
import type { ImportedReport } from './verdict.js';

const levels: Record<Severity, string> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
  INFO: 'note',
};
const scores: Record<Severity, string> = { CRITICAL: '9.5', HIGH: '8.0', MEDIUM: '5.5', LOW: '2.0', INFO: '0.0' };
const states = { CREATED: 'new', REOPENED: 'new', SEEN: 'unchanged', GONE: 'absent' } as const;

function uriOf(place: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place) ? place : encodeURI(place.toWellFormed());
}

function resultOf({ id, rule, name, severity, outcome, unmerged, place }: ImportedIssue): object {
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: name },
    baselineState: unmerged ? 'new' : states[outcome],
    partialFingerprints: { 'storeIssue/v1': id },
    properties: { severity },
    ...(place === null ? {} : { locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(place) } } }] }),
  };
}

/** The issues listed by the service as SARIF 2.1.0, each new, unchanged or absent. */
export function toSarif(reports: readonly ImportedReport[]): string {
  const runs = reports.map(({ result }) => {
    const rules = new Map(result.issues.map(({ rule, severity }) => [rule, severity]));
    return {
      tool: {
        driver: {
          name: result.scan.application.name,
          rules: [...rules].map(([id, severity]) => ({ id, properties: { 'security-severity': scores[severity] } })),
        },
      },
      results: result.issues.map(resultOf),
    };
  });
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return `${JSON.stringify({ $schema, version: '2.1.0', runs }, null, 2)}\n`;
}

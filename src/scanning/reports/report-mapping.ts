import { Invalid } from '../../platform/errors/invalid.js';
import { type IssueSeverity, issueSeverities } from '../vocabulary.js';
import { type Fields, fieldsOf, textOf } from './report-text.js';

/** The fields of a finding that a mapping takes from the elements of its list. */
export const mappedFields = [
  'name',
  'rule',
  'severity',
  'score',
  'path',
  'line',
  'url',
  'identifiers',
  'description',
  'fix',
  'help',
  'fingerprint',
] as const;
export type MappedField = (typeof mappedFields)[number];

/** How the findings of a JSON report that has no reader of its own are read. */
export interface ReportMapping {
  /** The name of the tool that wrote the report. */
  tool: string;
  /** The path of the list: `report.issues[]`, or `[]` if the report is the list. */
  findings: string;
  /** For each field, the paths within an element, of which the first that says something counts. */
  fields: Map<MappedField, string[][]>;
  /** The severity for what `severity` says, in lower case. */
  severities: Map<string, IssueSeverity>;
  /** For everything else that it says. */
  otherwise: IssueSeverity;
}

export const maxMapping = 4_000;
const maxSteps = 12;
const mostPaths = 10;
const mostSeverities = 50;
const listPath = /^(?:[^\s.[\]]{1,100}(?:\.[^\s.[\]]{1,100}|\[\]){0,12})?\[\]$/;
const fieldPath = /^[^\s.[\]]{1,100}(?:\.[^\s.[\]]{1,100}){0,11}$/;

const known = new Set(['tool', 'findings', 'severities', 'otherwise', ...mappedFields]);

function wrong(key: string, sentence: string, input?: unknown): Invalid {
  return Invalid.at(['query', 'mapping', key], 'value_error', sentence, input);
}

function pathsOf(key: string, given: unknown): string[][] {
  const paths = Array.isArray(given) ? (given as unknown[]) : [given];
  if (paths.length === 0 || paths.length > mostPaths) throw wrong(key, `Give ${key} one path, or up to ${mostPaths}`);
  return paths.map((path) => {
    if (typeof path === 'string' && fieldPath.test(path)) return path.split('.').slice(0, maxSteps);
    throw wrong(key, `${key} should be the path of a field within a finding, such as location.file`, path);
  });
}

function severitiesOf(given: unknown): Map<string, IssueSeverity> {
  const entries = Object.entries(fieldsOf(given));
  if (entries.length > mostSeverities) throw wrong('severities', `Give at most ${mostSeverities} severities`);
  return new Map(entries.map(([word, value]) => [word.trim().toLowerCase(), severityOf('severities', value)] as const));
}

function severityOf(key: string, value: unknown): IssueSeverity {
  const severity = issueSeverities.find((one) => one === value);
  if (severity) return severity;
  throw wrong(key, `A severity should be one of ${issueSeverities.join(', ')}`, value);
}

function parsed(text: string): Fields {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // The sentence below says what is wrong.
  }
  throw Invalid.at(
    ['query', 'mapping'],
    'json_invalid',
    'The mapping should be a JSON object: docs/scans.md has an example',
  );
}

/** The mapping of an import. `Invalid` for one that cannot be followed. */
export function mappingOf(text: string): ReportMapping {
  const given = parsed(text);
  const unknown = Object.keys(given).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw wrong(unknown.slice(0, 100), `A mapping has no such field: it can have ${[...known].join(', ')}`);
  }
  const { findings } = given;
  if (typeof findings !== 'string' || !listPath.test(findings)) {
    throw wrong('findings', 'findings should be the path of a list and end in [], such as report.issues[]', findings);
  }
  const fields = new Map<MappedField, string[][]>();
  for (const field of mappedFields) if (field in given) fields.set(field, pathsOf(field, given[field]));
  if (!fields.has('name') && !fields.has('rule')) throw wrong('name', 'Give the path of a name, or of a rule');
  return {
    tool: textOf(given['tool'], 200) || 'Mapped JSON',
    findings,
    fields,
    severities: severitiesOf(given['severities']),
    otherwise: 'otherwise' in given ? severityOf('otherwise', given['otherwise']) : 'INFO',
  };
}

import { parseUrl } from '../../config/parse-url.js';
import type { IssueExportRow } from '../issues/issue-export-rows.repository.js';
import type { IssueSeverity } from '../vocabulary.js';
import { Commas, compact, type MakeWriter } from './export-formats.js';

const levels: Record<IssueSeverity, 'error' | 'warning' | 'note'> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
  INFO: 'note',
};
/** The numbers by which GitHub and others sort; a tool's own score goes first. */
const scores: Record<IssueSeverity, number> = { CRITICAL: 9.5, HIGH: 8, MEDIUM: 5.5, LOW: 3, INFO: 0 };

/** How many rules a file describes; issues of others have their rule's id alone. */
const mostRules = 20_000;

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A path as a relative reference (RFC 3986): anything else in it is percent-encoded. */
function uriOf(path: string): string {
  const encoded = path.toWellFormed().split(/[\\/]/).map(encodeURIComponent).join('/');
  return encoded.replace(/^\/+/, '');
}

/** Lines and columns begin with 1; what a report wrote may be anything. */
function isPlace(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 1;
}

function regionOf({ startLine, endLine, startColumn, endColumn }: NonNullable<IssueExportRow['location']>): object {
  const given = Object.entries({ startLine, endLine, startColumn, endColumn });
  return Object.fromEntries(given.filter(([, value]) => isPlace(value)));
}

function locationsOf({ location, place }: IssueExportRow): object[] {
  const message = place === null ? {} : { message: { text: place } };
  if (!location?.path) return place === null ? [] : [message];
  const { startLine } = location;
  const region = isPlace(startLine) ? { region: regionOf(location) } : {};
  return [{ physicalLocation: { artifactLocation: { uri: uriOf(location.path) }, ...region }, ...message }];
}

/** What people decided: set aside is a suppression, and resolved is absent. */
function verdictOf({ status, why }: IssueExportRow): object {
  if (status === 'RESOLVED') return { baselineState: 'absent' };
  if (status !== 'IGNORED' && status !== 'FALSE_POSITIVE') return {};
  return { suppressions: [compact({ kind: 'external', status: 'accepted', justification: why })] };
}

/** SARIF 2.1.0: one run; the rules follow the results, since only then they are known. */
export const sarifExport: MakeWriter = ({ linkTo }) => {
  const commas = new Commas();
  const rules = new Map<string, object>();
  return {
    head: () => `{"$schema":"${schema}","version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[`,
    issue: (row) => {
      const { id, rule, ruleName, ruleHelp, severity, score, fullName, message } = row;
      if (!rules.has(rule) && rules.size < mostRules) {
        rules.set(rule, compact({ id: rule, name: ruleName, helpUri: webUri(ruleHelp) }));
      }
      const result = compact({
        ruleId: rule,
        level: levels[severity],
        message: { text: message ?? fullName },
        locations: locationsOf(row),
        partialFingerprints: { 'storeServiceIssue/v1': id },
        hostedViewerUri: linkTo(id),
        ...verdictOf(row),
        properties: compact({
          severity,
          status: row.status,
          category: row.category,
          asset: row.assetName,
          tool: row.tool,
          'security-severity': String(score ?? scores[severity]),
          tags: [...new Set(row.identifiers.map(({ value }) => value))],
          firstSeen: row.createdAt,
          lastSeen: row.lastSeenAt,
          resolvedAt: row.settledAt,
          resolvedBy: row.settledBy,
        }),
      });
      return `${commas.next()}\n${JSON.stringify(result)}`;
    },
    tail: () => {
      const driver = { name: 'Store Service', rules: [...rules.values()] };
      return `\n],"tool":${JSON.stringify({ driver })}}]}\n`;
    },
  };
};

/** An address of the web as a URI (RFC 3986); null for any other. */
function webUri(text: string | null): string | null {
  const url = text === null ? null : parseUrl(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol)
    ? url.href.replace(/[\s"<>\\^`{|}]/g, encodeURIComponent)
    : null;
}

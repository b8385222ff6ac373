import type { FindingDetail, FindingRule, FoundIdentifier, FoundPlace } from './finding-detail.js';
import type { IssueIdentifier, IssuePlace, IssueRule } from './issue-detail.dto.js';
import type { Issue, IssueSummary } from './issues.dto.js';

/** An issue as it is read: with what the newest report says of it. */
export interface IssueDetailRow extends IssueSummary {
  targets: Issue['targets'];
  detail: FindingDetail | null;
  rule: FindingRule | null;
}

const linkOf: Record<FoundIdentifier['type'], (value: string) => string | null> = {
  CWE: (value) => `https://cwe.mitre.org/data/definitions/${value.replace(/\D/g, '')}.html`,
  CVE: (value) => `https://nvd.nist.gov/vuln/detail/${value}`,
  GHSA: (value) => `https://github.com/advisories/${value}`,
  WASC: () => null,
  CPE: () => null,
};

function toIdentifier({ type, value }: FoundIdentifier): IssueIdentifier {
  return { type, value, url: linkOf[type](value) };
}

function toPlace(place: FoundPlace): IssuePlace {
  const { path, url, startLine, endLine, startColumn, endColumn, name, message, snippet, context } = place;
  return {
    path: path ?? null,
    url: url ?? null,
    startLine: startLine ?? null,
    endLine: endLine ?? null,
    startColumn: startColumn ?? null,
    endColumn: endColumn ?? null,
    name: name ?? null,
    message: message ?? null,
    snippet: snippet ?? null,
    context: context ?? null,
  };
}

function toRule({ id, name, description, help, helpUri, references, tags, properties }: FindingRule): IssueRule {
  return {
    id,
    name: name ?? null,
    description: description ?? null,
    help: help ?? null,
    helpUri: helpUri ?? null,
    references: references ?? [],
    tags: tags ?? [],
    properties: properties ?? null,
  };
}

/** The issue of the interface. */
export function toIssue({ detail, rule, ...issue }: IssueDetailRow): Issue {
  const found = detail ?? {};
  const locations = (found.locations ?? []).map(toPlace);
  return {
    ...issue,
    identifiers: (found.identifiers ?? []).map(toIdentifier),
    rule: rule && toRule(rule),
    location: locations[0] ?? null,
    locations,
    evidence: (found.evidence ?? []).map(({ type, message, steps }) => ({
      type,
      message: message ?? null,
      steps: steps.map(toPlace),
    })),
    message: found.message ?? null,
    tags: found.tags ?? [],
    score: found.score ?? null,
    rank: found.rank ?? null,
    fixes: (found.fixes ?? []).map(({ description, changes }) => ({
      description: description ?? null,
      changes: changes.map(({ path, startLine, endLine, startColumn, endColumn, inserted }) => ({
        path: path ?? null,
        startLine: startLine ?? null,
        endLine: endLine ?? null,
        startColumn: startColumn ?? null,
        endColumn: endColumn ?? null,
        inserted: inserted ?? null,
      })),
    })),
    suppressions: (found.suppressions ?? []).map(({ kind, status, justification }) => ({
      kind: kind ?? null,
      status: status ?? null,
      justification: justification ?? null,
    })),
    properties: found.properties ?? null,
  };
}

import type { ScanEventSummary } from '../scan-events/scan-events.dto.js';
import type { FindingDetail, FindingRule, FoundEvidence, FoundIdentifier, FoundPlace } from './finding-detail.js';
import type { IssueEvidence, IssueIdentifier, IssuePlace, IssueRule } from './issue-detail.dto.js';
import { identifierUrl } from './issue-identifiers.js';
import type { Issue, IssueSummary } from './issues.dto.js';
import { sourceLink } from './source-link.js';

/** An issue as it is read: with what the newest report says of it. */
export interface IssueDetailRow extends IssueSummary {
  targets: Issue['targets'];
  branches: Issue['branches'];
  detail: FindingDetail | null;
  rule: FindingRule | null;
  /** Where the code of its asset is read. */
  sourceUrl: string | null;
  commit: string | null;
  branch: string | null;
}

function toIdentifier({ type, value }: FoundIdentifier): IssueIdentifier {
  return { type, value, url: identifierUrl(type, value) };
}

/** The address of a place: its own, or where its lines are read. */
type UrlOf = (place: FoundPlace) => string | null;

function urlAt({ sourceUrl, commit, branch }: IssueDetailRow): UrlOf {
  return ({ url, path, startLine = null, endLine = null }) => {
    if (url !== undefined || path === undefined || sourceUrl === null) return url ?? null;
    return sourceLink(sourceUrl, { commit, branch }, { path, startLine, endLine });
  };
}

function toPlace(place: FoundPlace, urlOf: UrlOf): IssuePlace {
  const { path, startLine, endLine, startColumn, endColumn, name, message, snippet, context } = place;
  return {
    path: path ?? null,
    url: urlOf(place),
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

/** The file or page of a target. */
function placeOf({ codeFile, webPage, webCrawledUrl }: Issue['targets'][number]): FoundPlace | null {
  if (codeFile) return { path: codeFile.path, ...(codeFile.line === undefined ? {} : { startLine: codeFile.line }) };
  const url = webPage?.url ?? webCrawledUrl?.url;
  return url === undefined ? null : { url };
}

const noAttachment = { snippet: null, exchange: null, screenshot: null, eventId: null, createdAt: null };

function toSteps({ type, message, steps }: FoundEvidence, urlOf: UrlOf): IssueEvidence {
  return { type, message: message ?? null, steps: steps.map((step) => toPlace(step, urlOf)), ...noAttachment };
}

function attachedTo({ id, createdAt, attachments }: ScanEventSummary): IssueEvidence[] {
  return attachments.map(({ type, snippet = null, exchange = null, screenshot = null }) => ({
    type,
    message: null,
    steps: [],
    snippet,
    exchange,
    screenshot,
    eventId: id,
    createdAt,
  }));
}

/** The issue of the interface; `event` is the newest one with attachments. */
export function toIssue(row: IssueDetailRow, event: ScanEventSummary | null): Issue {
  const { detail, rule, sourceUrl: _sourceUrl, commit: _commit, branch: _branch, ...issue } = row;
  const found = detail ?? {};
  const urlOf = urlAt(row);
  const locations = (found.locations ?? []).map((place) => toPlace(place, urlOf));
  const target = issue.targets.map(placeOf).find((place) => place !== null);
  return {
    ...issue,
    identifiers: (found.identifiers ?? []).map(toIdentifier),
    rule: rule && toRule(rule),
    location: locations[0] ?? (target ? toPlace(target, urlOf) : null),
    locations,
    evidence: [...(event ? attachedTo(event) : []), ...(found.evidence ?? []).map((one) => toSteps(one, urlOf))],
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

import type { ImportedIssue, ImportResult } from '../../scanning/reports/reports.shapes.js';
import type { Wire } from '../wire.js';
import type { IgnoredRule, Policy } from './policy.js';
import { severities, type Severity } from './severities.js';

export type Counts = Record<Severity, number>;

/** An imported report, with the name of its file. */
export interface ImportedReport {
  file: string;
  result: Wire<ImportResult>;
}

/** Whether the gate lets the reports through. */
export interface Verdict {
  passed: boolean;
  /** A sentence for each reason to fail. */
  reasons: string[];
  /** What counts, by severity: only new issues, or all open ones. */
  counted: Counts;
  newOnly: boolean;
  /** How many issues of a severity the gate lets through; a severity without a number is not checked. */
  allowed: Partial<Counts>;
  /** The counting issues of each severity with too many, as far as the service lists them. */
  failing: ImportedIssue[];
  /** For each severity with too many issues, none of them listed: how many belong to which rules. */
  unlisted: string[];
  /** Ignored rules that kept issues from counting, with the number of those. */
  ignored: (IgnoredRule & { issues: number })[];
  /** Ignored rules whose last day is over. */
  expired: IgnoredRule[];
}

const outcomesThatCount = { all: ['created', 'seen', 'reopened'], new: ['created', 'unmerged', 'reopened'] } as const;

const mostRules = 20;

/** `failOn` allows no issue of its severity or worse, unless `maximum` gives another number. */
function allowedBy({ failOn, maximum }: Policy): Partial<Counts> {
  const worst = failOn === undefined ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
  return { ...Object.fromEntries(worst.map((severity) => [severity, 0])), ...maximum };
}

/** Decides on imported reports; `today` is a day such as 2026-11-22. */
export function verdictOf(reports: readonly ImportedReport[], policy: Policy, today: string): Verdict {
  const expired = policy.ignore.filter(({ until }) => until < today);
  const inForce = new Map(policy.ignore.filter(({ until }) => until >= today).map((one) => [one.rule, one]));
  const newOnly = policy.newOnly ?? false;
  const outcomes = newOnly ? outcomesThatCount.new : outcomesThatCount.all;
  const counted: Counts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
  const ignoredIssues = new Map<string, number>();
  for (const { result } of reports) {
    for (const severity of severities) {
      for (const outcome of outcomes) counted[severity] += result.bySeverity[outcome][severity];
    }
    for (const row of result.byRule) {
      if (!inForce.has(row.rule)) continue;
      const issues = outcomes.reduce((sum, outcome) => sum + row[outcome], 0);
      counted[row.severity] -= issues;
      ignoredIssues.set(row.rule, (ignoredIssues.get(row.rule) ?? 0) + issues);
    }
  }
  const allowed = allowedBy(policy);
  const exceeded = severities.filter((severity) => counted[severity] > (allowed[severity] ?? Infinity));
  const reasons = [
    ...reports.filter(({ result }) => result.scan.status === 'FAILED').map(unfinished),
    ...exceeded.map((severity) => reasonOf(counted[severity], allowed[severity] ?? 0, severity, newOnly)),
  ];
  const isCounted = ({ outcome, unmerged, severity, rule }: ImportedIssue) =>
    exceeded.includes(severity) &&
    !inForce.has(rule) &&
    outcome !== 'GONE' &&
    !(newOnly && outcome === 'SEEN' && !unmerged);
  const failing = reports.flatMap(({ result }) => result.issues.filter(isCounted));
  const unnamed = exceeded.filter((severity) => !failing.some((issue) => issue.severity === severity));
  return {
    passed: reasons.length === 0,
    reasons,
    counted,
    newOnly,
    allowed,
    failing,
    unlisted: unnamed.map((severity) => {
      const counts = countsByRule(reports, severity, outcomes, inForce);
      return `${reasonOf(counted[severity], allowed[severity] ?? 0, severity, newOnly)}: ${inWords(counts)}`;
    }),
    ignored: [...ignoredIssues].flatMap(([rule, issues]) => {
      const entry = inForce.get(rule);
      return entry && issues > 0 ? [{ ...entry, issues }] : [];
    }),
    expired,
  };
}

type Outcome = (typeof outcomesThatCount)[keyof typeof outcomesThatCount][number];

/** How many issues of a severity count for each rule. */
function countsByRule(
  reports: readonly ImportedReport[],
  severity: Severity,
  outcomes: readonly Outcome[],
  ignored: ReadonlyMap<string, IgnoredRule>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of reports.flatMap(({ result }) => result.byRule)) {
    const count = outcomes.reduce((sum, outcome) => sum + row[outcome], 0);
    if (row.severity !== severity || ignored.has(row.rule) || count === 0) continue;
    counts.set(row.rule, (counts.get(row.rule) ?? 0) + count);
  }
  return counts;
}

/** `2 of rule a, 1 of rule b`. */
function inWords(counts: ReadonlyMap<string, number>): string {
  const words = [...counts].slice(0, mostRules).map(([rule, count]) => `${count} of rule ${rule}`);
  const rest = counts.size - words.length;
  return words.length === 0
    ? 'the service does not say of which rules'
    : [...words, ...(rest > 0 ? [`of ${rest} more rules`] : [])].join(', ');
}

function unfinished({ file }: ImportedReport): string {
  return `the tool of ${file} did not get to its end`;
}

function reasonOf(count: number, allowed: number, severity: Severity, newOnly: boolean): string {
  const what = `${count} ${newOnly ? 'new' : 'open'} ${count === 1 ? 'issue' : 'issues'} of severity ${severity}`;
  return allowed === 0 ? what : `${what}, where ${allowed} may be`;
}

/** What the gate lets through, in words. */
export function allowedInWords({ allowed, newOnly }: Verdict): string {
  const parts = severities.flatMap((severity) => {
    const most = allowed[severity];
    return most === undefined ? [] : [`${severity} ${most}`];
  });
  return `at most, of ${newOnly ? 'new' : 'open'} issues: ${parts.join(', ')}`;
}

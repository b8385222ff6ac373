import type { ImportedIssue, ImportResult } from '../../scanning/reports/reports.shapes.js';
import type { Wire } from '../wire.js';
import type { IgnoredRule, Policy } from './policy.js';
import { severities, type Severity } from './severities.js';

export type Counts = Record<Severity, number>;

/** A report that was imported, by the name of its file. */
export interface ImportedReport {
  file: string;
  result: Wire<ImportResult>;
}

/** Whether a gate lets the reports through. */
export interface Verdict {
  passed: boolean;
  /** A sentence for each reason to fail. */
  reasons: string[];
  /** What counts by severity: new issues alone, or all open ones. */
  counted: Counts;
  newOnly: boolean;
  /** How many issues of a severity the gate lets through; a severity without one is not looked at. */
  allowed: Partial<Counts>;
  /** The issues that count of severities with too many, as far as the service lists them. */
  failing: ImportedIssue[];
  /** Ignored rules that kept issues from counting, with their number. */
  ignored: (IgnoredRule & { issues: number })[];
  /** Ignored rules whose last day is over. */
  expired: IgnoredRule[];
}

const outcomesThatCount = { all: ['created', 'seen', 'reopened'], new: ['created', 'unmerged', 'reopened'] } as const;

/** `failOn` allows none of its severity or worse, save where `maximum` says another number. */
function allowedBy({ failOn, maximum }: Policy): Partial<Counts> {
  const worst = failOn === undefined ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
  return { ...Object.fromEntries(worst.map((severity) => [severity, 0])), ...maximum };
}

/** Decides about imported reports; `today` is a day such as 2026-11-22. */
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
  const counts = ({ outcome, unmerged, severity, rule }: ImportedIssue) =>
    exceeded.includes(severity) &&
    !inForce.has(rule) &&
    outcome !== 'GONE' &&
    !(newOnly && outcome === 'SEEN' && !unmerged);
  return {
    passed: reasons.length === 0,
    reasons,
    counted,
    newOnly,
    allowed,
    failing: reports.flatMap(({ result }) => result.issues.filter(counts)),
    ignored: [...ignoredIssues].flatMap(([rule, issues]) => {
      const entry = inForce.get(rule);
      return entry && issues > 0 ? [{ ...entry, issues }] : [];
    }),
    expired,
  };
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

import type { ImportResult, ImportedIssue, IssueSeverity } from '@store-service/sdk';
import { IgnoredIssues, isByIssue } from './ignored.js';
import type { ListedIssues } from './issue-list.js';
import type { Ignored, Policy } from './policy.js';
import { severities } from '../values.js';

export type Counts = Record<IssueSeverity, number>;

/** An imported report, with the name of its file. */
export interface ImportedReport {
  file: string;
  result: ImportResult;
  /** All of its issues, if they are needed: the result lists only the worst. */
  list?: ListedIssues;
}

/** Whether the gate lets the reports through. */
export interface Verdict {
  passed: boolean;
  /** Whether all tools ran to their end, or the caller lets that pass. */
  ran: boolean;
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
  /** What is ignored that kept issues from counting, with the number of those. */
  ignored: (Ignored & { issues: number })[];
  /** What was ignored until a day that is over. */
  expired: Ignored[];
}

/** The verdict, and what it says of one issue. */
export interface Judged {
  verdict: Verdict;
  /** Whether the gate fails because of the issue. */
  fails: (issue: ImportedIssue) => boolean;
  /** The entry of the policy that keeps the issue from counting. */
  ignoredBy: (issue: ImportedIssue) => Ignored | undefined;
}

const outcomesThatCount = { all: ['created', 'seen', 'reopened'], new: ['created', 'unmerged', 'reopened'] } as const;

const mostRules = 20;

/** `failOn` allows no issue of its severity or worse, unless `maximum` gives another number. */
function allowedBy({ failOn, maximum }: Policy): Partial<Counts> {
  const worst = failOn === undefined ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
  return { ...Object.fromEntries(worst.map((severity) => [severity, 0])), ...maximum };
}

/** Whether an issue is one of those that the gate counts. */
function counts({ outcome, unmerged }: ImportedIssue, newOnly: boolean): boolean {
  return outcome !== 'GONE' && !(newOnly && outcome === 'SEEN' && !unmerged);
}

/** Takes the ignored issues from the counts; returns how many each entry ignores. */
async function takeIgnored(
  reports: readonly ImportedReport[],
  { inForce, ignored, newOnly }: { inForce: readonly Ignored[]; ignored: IgnoredIssues; newOnly: boolean },
  counted: Counts,
): Promise<Map<Ignored, number>> {
  const taken = new Map<Ignored, number>();
  const take = (entry: Ignored, severity: IssueSeverity, issues: number): void => {
    counted[severity] -= issues;
    taken.set(entry, (taken.get(entry) ?? 0) + issues);
  };
  const outcomes = newOnly ? outcomesThatCount.new : outcomesThatCount.all;
  for (const { result, list } of reports) {
    if (inForce.some(isByIssue) && list) {
      for await (const issue of list.issues()) {
        const entry = counts(issue, newOnly) ? ignored.of(issue) : undefined;
        if (entry) take(entry, issue.severity, 1);
      }
      continue;
    }
    for (const row of result.byRule) {
      const entry = inForce.find((one) => !isByIssue(one) && one.rule === row.rule);
      const issues = outcomes.reduce((sum, outcome) => sum + row[outcome], 0);
      if (entry) take(entry, row.severity, issues);
    }
  }
  return taken;
}

/** Decides on imported reports; `today` is a day such as 2026-11-22. `allowEmpty` lets tools pass that did not run. */
export async function verdictOf(
  reports: readonly ImportedReport[],
  policy: Policy,
  { today, allowEmpty = false }: { today: string; allowEmpty?: boolean },
): Promise<Judged> {
  const expired = policy.ignore.filter(({ until }) => until < today);
  const inForce = policy.ignore.filter(({ until }) => until >= today);
  const ignored = new IgnoredIssues(inForce);
  const newOnly = policy.newOnly ?? false;
  const outcomes = newOnly ? outcomesThatCount.new : outcomesThatCount.all;
  const counted: Counts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
  for (const { result } of reports) {
    for (const severity of severities) {
      for (const outcome of outcomes) counted[severity] += result.bySeverity[outcome][severity];
    }
  }
  const taken = await takeIgnored(reports, { inForce, ignored, newOnly }, counted);
  const allowed = allowedBy(policy);
  const exceeded = severities.filter((severity) => counted[severity] > (allowed[severity] ?? Infinity));
  const notRun = allowEmpty ? [] : reports.flatMap(unfinished);
  const reasons = [
    ...notRun,
    ...exceeded.map((severity) => reasonOf(counted[severity], allowed[severity] ?? 0, severity, newOnly)),
  ];
  const fails = (issue: ImportedIssue): boolean =>
    exceeded.includes(issue.severity) && counts(issue, newOnly) && ignored.of(issue) === undefined;
  const failing = reports.flatMap(({ result }) => result.issues.filter(fails));
  const unnamed = exceeded.filter((severity) => !failing.some((issue) => issue.severity === severity));
  const ofRules = new Set(inForce.flatMap((entry) => (isByIssue(entry) ? [] : (entry.rule ?? []))));
  const verdict = {
    passed: reasons.length === 0,
    ran: notRun.length === 0,
    reasons,
    counted,
    newOnly,
    allowed,
    failing,
    unlisted: unnamed.map((severity) => {
      const byRule = countsByRule(reports, severity, outcomes, ofRules);
      return `${reasonOf(counted[severity], allowed[severity] ?? 0, severity, newOnly)}: ${inWords(byRule)}`;
    }),
    ignored: [...taken].flatMap(([entry, issues]) => (issues > 0 ? [{ ...entry, issues }] : [])),
    expired,
  };
  return { verdict, fails, ignoredBy: (issue) => ignored.of(issue) };
}

type Outcome = (typeof outcomesThatCount)[keyof typeof outcomesThatCount][number];

/** How many issues of a severity count for each rule. */
function countsByRule(
  reports: readonly ImportedReport[],
  severity: IssueSeverity,
  outcomes: readonly Outcome[],
  ignored: ReadonlySet<string>,
): Map<string, number> {
  const byRule = new Map<string, number>();
  for (const row of reports.flatMap(({ result }) => result.byRule)) {
    const count = outcomes.reduce((sum, outcome) => sum + row[outcome], 0);
    if (row.severity !== severity || ignored.has(row.rule) || count === 0) continue;
    byRule.set(row.rule, (byRule.get(row.rule) ?? 0) + count);
  }
  return byRule;
}

/** `2 of rule a, 1 of rule b`. */
function inWords(byRule: ReadonlyMap<string, number>): string {
  const words = [...byRule].slice(0, mostRules).map(([rule, count]) => `${count} of rule ${rule}`);
  const rest = byRule.size - words.length;
  return words.length === 0
    ? 'the service does not say of which rules'
    : [...words, ...(rest > 0 ? [`of ${rest} more rules`] : [])].join(', ');
}

/** An older service says only that the scan failed. */
function unfinished({ file, result }: ImportedReport): string[] {
  const reason = result.notRun as string | null | undefined;
  if (typeof reason === 'string') return [`the tool of ${file} did not run, or not to its end: ${reason}`];
  return result.scan.status === 'FAILED' ? [`the tool of ${file} did not run, or not to its end`] : [];
}

function reasonOf(count: number, allowed: number, severity: IssueSeverity, newOnly: boolean): string {
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

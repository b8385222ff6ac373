import type { AssetDraft } from '../assets/asset-draft.js';
import { maxTargets } from '../issues/finding-rows.js';
import type { FormerParts } from '../issues/issue-identity.js';
import type { TargetCreate } from '../issues/issue-target.dto.js';
import type { IssueCategory, IssueSeverity, ScanKind } from '../vocabulary.js';
import type { ReportRules } from './report-details.js';
import type { ReportMapping } from './report-mapping.js';
import type { ReportRemarks } from './report-remarks.js';
import type { SourceRoots } from './source-roots.js';

export const reportFormats = [
  'sarif',
  'zap-json',
  'zap-xml',
  'nuclei-jsonl',
  'cyclonedx',
  'trivy-json',
  'npm-audit',
  'gitlab',
  'burp-xml',
  'mapped-json',
] as const;
export type ReportFormat = (typeof reportFormats)[number];

// Unspecified: how much of a finding is kept: as much as the lists of issues and events can show; the response names
// the cuts.
export const longest = { name: 300, identifier: 500, uid: 1_024, url: 4_096, path: 4_096, context: 20_000 } as const;
export const most = { targets: 5 * maxTargets, described: 50, exchanges: 20, snippets: 10 } as const;

// Unspecified: how many findings of one report are kept; those beyond are skipped.
export const maxFindings = 250_000;

// Unspecified: how many tools of one report are told apart; results of further ones are skipped.
export const maxTools = 20;

/**
 * One finding of a report, independent of its format: what every reader makes of what its tool writes. A reader keeps to
 * these rules:
 *
 * - The identity of a finding is its asset, `securityTestUid` and `fingerprint`. All three stay the same while lines move,
 *   findings come in another order or another file, the tool has another version, or runs on another machine. So no
 *   line, version, time, path outside the checkout or position in the report may be part of them.
 * - A vulnerability of a package is identified by its id, the package without its version, and the file that names it.
 * - Where the report itself says under which ids a rule was known, or a better way to tell findings apart came later,
 *   `formerly` has the identities of before, a few at most.
 * - Findings that are otherwise equal are told apart by how many of them there are.
 * - Texts are plain, bounded by `longest` and `most`; `Cuts` names whatever is cut. What has no field of its own is kept
 *   in `properties` of the detail or the rule, or is named by `ReportRemarks`.
 * - A secret that was found is never kept: it is masked as in `secret-masking.ts`.
 * - What cannot be read is a `SkippedEntry` with the reason, and never an error: one finding must not spoil the others.
 */
export interface ReportFinding {
  /** Which of the report's tools found it; the first where it is omitted. */
  tool?: number;
  /** What it was found in; it is created if there is none with its uri. */
  asset: AssetDraft;
  /** What people read in lists; not part of the identity if there is a `securityTestUid`. */
  name: string;
  severity: IssueSeverity;
  /** By the weakness (CWE), else by what the format says of it. */
  category: IssueCategory;
  /** Everything that was said of it, as plain text for people and for searches. */
  context: string;
  /** The tool's own id of the alert. */
  alertUid?: string;
  /** The rule, test, template, or vulnerability. */
  securityTestUid?: string;
  /** What tells it from other findings of its test on its asset. */
  fingerprint: string;
  /** As what earlier reports may have known it, the likeliest first. */
  formerly?: FormerParts[];
  /** The status of a finding that the tool itself suppresses. */
  status?: 'IGNORED' | 'FALSE_POSITIVE';
  /** Where it was found: files, pages, or packages. */
  targets: TargetCreate[];
  /** What else the report says of it (identifiers, score, places, evidence, fixes), as JSON of a `FindingDetail`. */
  detail?: string;
  /** The digest of its rule in the report's `rules`. */
  ruleDigest?: string;
  event: ReportEvent;
}

/** The scan event of a finding. */
export interface ReportEvent {
  title: string;
  description: string;
  attachments: ReportAttachment[];
}

export interface ExchangeMessage {
  headers?: Record<string, string>;
  body?: string;
}

export type ReportAttachment =
  | { type: 'SNIPPET'; snippet: { name?: string; language?: string; content: string; startLine?: number } }
  | {
      type: 'EXCHANGE';
      exchange: {
        request: ExchangeMessage & { method: string; url: string };
        response?: ExchangeMessage & { status: number };
      };
    };

/** One finding of a report: read, with its cuts, or skipped, with the reason. */
export type ReportEntry = { finding: ReportFinding; cut: string | null } | SkippedEntry;

export interface SkippedEntry {
  skipped: string;
  /** Whether the report itself says that there is no finding: nothing is lost by skipping it. */
  isNone?: true;
  /** The finding that it calls gone. */
  absent?: ReportFinding;
  /** The tool that would have found it; all of them where it is omitted. */
  tool?: number;
  /** Whether it is skipped only because no asset is known, which the caller can name. */
  unplaced?: true;
}

/** A tool whose findings a report holds: each is compared with its own earlier reports. */
export interface ReportTool {
  name: string;
  /** Omitted or empty if the report does not say. */
  version?: string;
  /** Distinguishes several analyses of one tool; empty if the report names none. */
  category: string;
  /** The assets that its part of the report is about, even where it found nothing. */
  about: AssetDraft[];
  /** The reasons why it did not run or complete, if the report says so. */
  failures: string[];
  /** Why the report tells nothing of it although it does not say that it failed; null if it does. */
  silence: string | null;
}

/** A report whose structure is valid; its findings are read on demand. */
export interface Report {
  format: ReportFormat;
  /** At least one. */
  tools: ReportTool[];
  /** What it says beyond what is kept; complete once all entries are read. */
  remarks: ReportRemarks;
  /** The rules of its findings; complete once all entries are read. */
  rules: ReportRules;
  defaultKind: ScanKind;
  /** Whether events mark the start and end of the scan. */
  bracketed: boolean;
  /** The number of entries, if it is known before they are read; else null. */
  count: number | null;
  /** Whether the report names no asset: then the caller has to. */
  isUnplaced: boolean;
  /** Parts of the report, beside findings, that are not read, with the reasons. */
  unread: string[];
  entries(): AsyncGenerator<ReportEntry[]>;
}

/** Opens the bytes of a report at the start; may be called repeatedly. */
export type ReportBytes = () => AsyncIterable<Buffer>;

/** How to read a report. */
export interface Reading {
  /** The asset of all findings, if the caller names it. */
  asset: AssetDraft | null;
  /** The asset of findings that name none, if the caller names one. */
  fallback: AssetDraft | null;
  /** The folder of the checkout in which the tool ran, if the caller names it. */
  roots: SourceRoots;
  /** Whether an empty report is a clean scan, as the caller says. */
  allowEmpty: boolean;
  /** How the report is to be read, if the caller says so. */
  mapping?: ReportMapping;
}

import type { AssetDraft } from '../assets/asset-draft.js';
import { maxTargets } from '../issues/finding-rows.js';
import type { TargetCreate } from '../issues/issue-target.shapes.js';
import type { IssueCategory, IssueSeverity, ScanKind } from '../vocabulary.js';

export const reportFormats = ['sarif', 'zap-json', 'zap-xml', 'nuclei-jsonl'] as const;
export type ReportFormat = (typeof reportFormats)[number];

// Unspecified: how much of a finding is kept; what the lists of issues and events can show, and no more. What is beyond is
// cut, and named in the answer.
export const longest = { name: 300, identifier: 500, uid: 1_024, url: 4_096, path: 4_096, context: 20_000 } as const;
export const most = { targets: 5 * maxTargets, described: 50, exchanges: 20, snippets: 10 } as const;

// Unspecified: how many findings of one report are kept; those beyond are counted and named like all that are skipped.
export const maxFindings = 250_000;

/** What one finding of a report says, whichever tool wrote it. */
export interface ReportFinding {
  asset: AssetDraft;
  name: string;
  severity: IssueSeverity;
  category: IssueCategory;
  context: string;
  alertUid?: string;
  securityTestUid?: string;
  fingerprint: string;
  /** What the tool itself says of a finding that it would rather not show. */
  status?: 'IGNORED' | 'FALSE_POSITIVE';
  targets: TargetCreate[];
  event: ReportEvent;
}

/** What is told of a finding, or of the scan, in the scan's events. */
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
  | { type: 'SNIPPET'; snippet: { name?: string; language?: string; content: string } }
  | {
      type: 'EXCHANGE';
      exchange: {
        request: ExchangeMessage & { method: string; url: string };
        response?: ExchangeMessage & { status: number };
      };
    };

/** One thing that the report calls a finding: read, with what was cut of it, or why it is passed over. */
export type ReportEntry = { finding: ReportFinding; cut: string | null } | SkippedEntry;

export interface SkippedEntry {
  skipped: string;
  /** Whether it is passed over for want of an asset alone, which the caller can name. */
  unplaced?: true;
}

/** A report whose form is known to be right; its findings are read when they are asked for. */
export interface Report {
  format: ReportFormat;
  tool: string;
  defaultKind: ScanKind;
  /** What the events tell at the start and end of the scan, where the format has them. */
  bracketed: boolean;
  /** What the report is about, whether or not it found anything there. */
  about: AssetDraft[];
  /** Whether it could be about anything: then the caller has to say it. */
  isUnplaced: boolean;
  /** Why the tool did not get to its end, where it says so. */
  failures: string[];
  /** What the report holds beside its findings that is not read, and why. */
  unread: string[];
  entries(): AsyncGenerator<ReportEntry[]>;
}

/** The bytes of a report from its start, as often as they are asked for. */
export type ReportBytes = () => AsyncIterable<Buffer>;

/** How a report is to be read. */
export interface Reading {
  /** The asset that all findings are of, where the caller names it. */
  asset: AssetDraft | null;
}

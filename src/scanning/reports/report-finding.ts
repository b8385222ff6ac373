import type { AssetDraft } from '../assets/asset-draft.js';
import type { TargetCreate } from '../issues/issue-target.shapes.js';
import type { IssueCategory, IssueSeverity, ScanKind } from '../vocabulary.js';

export const reportFormats = ['sarif', 'zap-json', 'nuclei-jsonl'] as const;
export type ReportFormat = (typeof reportFormats)[number];

// Not shown: how much of a finding's texts is kept; what the lists of issues and events can show, and no more.
export const longest = { name: 300, identifier: 500, uid: 1_024, url: 4_096, path: 4_096, context: 20_000 } as const;

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
  status?: 'IGNORED';
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

/** One thing that the report calls a finding: read, or why it is passed over. */
export type ReportEntry = { finding: ReportFinding } | { skipped: string };

/** A report whose form is known to be right; its findings are read when they are asked for. */
export interface Report {
  format: ReportFormat;
  tool: string;
  defaultKind: ScanKind;
  /** What the events tell at the start and end of the scan, where the format has them. */
  bracketed: boolean;
  entries(): AsyncGenerator<ReportEntry[]>;
}

/** The bytes of a report from its start, as often as they are asked for. */
export type ReportBytes = () => AsyncIterable<Buffer>;

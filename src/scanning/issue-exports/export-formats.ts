import type { IssueExportCount, IssueExportRow } from '../issues/issue-export-rows.repository.js';

/** What is known before the first issue is written. */
export interface ExportHead {
  organization: string;
  madeAt: Date;
  /** By severity and status; only the report for people needs them. */
  counts: IssueExportCount[];
  linkTo: (issueId: string) => string;
}

/** Writes issues in one format, as text. A new one is made for each export. */
export interface ExportWriter {
  head(): string;
  issue(row: IssueExportRow): string;
  tail(): string;
}

export type MakeWriter = (head: ExportHead) => ExportWriter;

/** What stands before an element of a JSON array. */
export class Commas {
  private isFirst = true;

  next(): string {
    const comma = this.isFirst ? '' : ',';
    this.isFirst = false;
    return comma;
  }
}

/** An object without the fields that are null, undefined or an empty list. */
export function compact(fields: Record<string, unknown>): Record<string, unknown> {
  const isGiven = (value: unknown) =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}

import type { ScanContext } from '../scans/scan-context.js';
import type { EventRow } from './event-rows.js';

/** The columns of a line, the issues last. */
export const lineColumns = `id, created_at, organization_id, scan_id, profile_id, level, stage, title, description, asset_ids,
  attachments, attachment_types, attachment_text, issue_ids`;

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : text;
}

/**
 * An event as a line of COPY's text format, up to the ids of its issues: these are known only at the time of writing, and the
 * rest can be made before.
 */
export function beginLine({ organizationId, id, profileId }: ScanContext, row: EventRow): string {
  const before = `${row.id}\t${row.created_at}\t${organizationId}\t${id}\t${profileId}\t${row.level}\t${row.stage}`;
  const said = `${escaped(row.title)}\t${escaped(row.description)}\t{${row.asset_ids.join(',')}}`;
  const attached = `${escaped(JSON.stringify(row.attachments))}\t{${row.attachment_types.join(',')}}`;
  return `${before}\t${said}\t${attached}\t${escaped(row.attachment_text)}\t`;
}

/** The line of an event of one issue. */
export function endLine(begun: string, issueId: string): string {
  return `${begun}{${issueId}}\n`;
}

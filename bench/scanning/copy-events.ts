import { once } from 'node:events';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import { type NewEvent, toEventRow } from '../../src/scanning/scan-events/event-rows.js';
import type { ScanContext } from '../../src/scanning/scans/scan-context.js';

const copySql = `COPY scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
  asset_ids, issue_ids, attachments, attachment_types, attachment_text) FROM STDIN`;

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => `\\${{ '\t': 't', '\n': 'n', '\r': 'r' }[character] ?? character}`);
}

/** An event as a line of COPY, without its id and time. */
export function restOfLine(scan: ScanContext, event: NewEvent): string {
  const row = toEventRow(scan, event, 0);
  const fields = [
    scan.organizationId,
    scan.id,
    scan.profileId,
    row.level,
    row.stage,
    row.title,
    row.description,
    `{${row.asset_ids.join(',')}}`,
    `{${row.issue_ids.join(',')}}`,
    JSON.stringify(row.attachments),
    `{${row.attachment_types.join(',')}}`,
    row.attachment_text,
  ];
  return `${fields.map(escaped).join('\t')}\n`;
}

/** Copies events in one COPY, each with a new id. */
export async function copyEvents(client: Client, restsOfLines: Iterable<string>): Promise<void> {
  const stream = client.query(copyFrom(copySql));
  const createdAt = new Date().toISOString();
  let text = '';
  for (const rest of restsOfLines) {
    text += `${uuidV7()}\t${createdAt}\t${rest}`;
    if (text.length < 65_536) continue;
    if (!stream.write(text)) await once(stream, 'drain');
    text = '';
  }
  stream.end(text);
  await once(stream, 'finish');
}

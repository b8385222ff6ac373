import { setImmediate as othersFirst } from 'node:timers/promises';
import type { FoundAsset } from '../assets/assets.service.js';
import { encode, type EncodedRow, type FindingRows, FindingRowsBuilder } from '../issues/finding-rows.js';
import { beginLine } from '../scan-events/event-line.js';
import { toEventRow } from '../scan-events/event-rows.js';
import type { EventTally } from '../scan-events/event-tally.js';
import type { ScanContext } from '../scans/scan-context.js';
import { toFindingEvent } from './report-events.js';
import type { SpooledFinding } from './spooled-findings.js';

/** The findings prepared at once: PostgreSQL may wait for the next statement meanwhile. */
const atOnce = 25;

/** The events of some findings in one month. */
export interface EventLines {
  /** The time of the first, in ISO 8601. */
  since: string;
  /** The event of each finding, without its issue. */
  begun: string[];
}

/** A batch of findings, ready to be written. */
export interface PreparedBatch {
  /** The scan of the tool that found it. */
  scan: ScanContext;
  tool: number;
  rows: FindingRows;
  /** In the order of the findings: all in one, unless a month ended meanwhile. */
  events: EventLines[];
}

/** Adds the line of the next event. */
export function addLine(events: EventLines[], time: string, line: string): void {
  const last = events.at(-1);
  if (last?.since.slice(0, 'yyyy-mm'.length) === time.slice(0, 'yyyy-mm'.length)) last.begun.push(line);
  else events.push({ since: time, begun: [line] });
}

/** Makes everything of a batch that does not need the issues' ids from the database; counts its events. */
export async function prepare(
  scan: ScanContext,
  batch: SpooledFinding[],
  assets: Map<string, FoundAsset>,
  tally: EventTally,
): Promise<PreparedBatch> {
  const builder = new FindingRowsBuilder();
  const events: EventLines[] = [];
  for (const [at, finding] of batch.entries()) {
    if (at % atOnce === 0) await othersFirst();
    const assetId = assets.get(finding.assetUri)?.id ?? '';
    builder.add({ ...finding, assetId });
    const event = toEventRow(scan, toFindingEvent(finding, assetId), at);
    addLine(events, event.created_at, beginLine(scan, event));
    tally.add(event);
  }
  const rows: EncodedRow[] = [];
  for (const [at, row] of builder.rows.entries()) {
    if (at % atOnce === 0) await othersFirst();
    rows.push(encode(row));
  }
  return { scan, tool: batch[0]?.tool ?? 0, rows: builder.with(rows), events };
}

import type { JsonElement } from '../../platform/http/json-elements.js';
import { readElement } from '../../platform/http/element-body.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { SpoolFile } from '../spool-file.js';
import { EventBatch } from './event-batch.js';
import type { EventReferences } from './event-references.js';
import { type EventRow, toEventRow } from './event-rows.js';
import { boundsOfTime, readEvent } from './read-event.js';
import { EventCreate } from './scan-event-append.dto.js';

/** The contents of a request, in its spool file. */
export interface ReadEvents {
  count: number;
  /** One time in each month of the events. */
  times: Date[];
}

/**
 * Reads the events of a request, checks them one by one and writes them into the spool file in batches, a line each:
 * memory holds one batch. `Invalid` at the first element that is not an event, `NotFound` for an asset or issue that is not
 * the organization's.
 */
export async function readEvents(
  elements: AsyncIterable<JsonElement[]>,
  scan: ScanContext,
  references: EventReferences,
  spool: SpoolFile,
): Promise<ReadEvents> {
  const bounds = boundsOfTime(new Date());
  const batch = new EventBatch();
  const times = new Map<string, Date>();
  let count = 0;
  const toRow = (event: EventCreate, index: number): EventRow => toEventRow(scan, readEvent(event, bounds), index);
  const flush = async (): Promise<void> => {
    await references.assertOwn();
    await spool.writeLine(batch.take());
  };
  for await (const group of elements) {
    for (const element of group) {
      const row = readElement(element, EventCreate, toRow);
      references.note(row, element.index);
      const month = row.created_at.slice(0, 7);
      if (!times.has(month)) times.set(month, new Date(row.created_at));
      batch.add(row);
      count++;
      if (batch.isFull) await flush();
    }
  }
  if (!batch.isEmpty) await flush();
  return { count, times: [...times.values()] };
}

import { type ArrivalPosition, encodeArrival } from './arrival-cursor.js';
import { toScanEventSummary } from './scan-events.mapper.js';
import type { ScanEventSummary } from './scan-events.dto.js';

/** An event as a server-sent event, the same bytes for all followers. */
export class StreamedEvent {
  private readonly data: string;
  private made: Buffer | undefined;

  constructor(
    row: ScanEventSummary,
    /** The position after it. */
    readonly position: ArrivalPosition,
  ) {
    this.data = JSON.stringify(toScanEventSummary(row));
  }

  get length(): number {
    return this.data.length;
  }

  /** The message, with the cursor of the position after it as its id. */
  get bytes(): Buffer {
    this.made ??= Buffer.from(`id: ${encodeArrival(this.position)}\ndata: ${this.data}\n\n`);
    return this.made;
  }
}

import { encodeArrival } from './arrival-cursor.js';
import { toScanEventSummary } from './scan-events.mapper.js';
import type { ScanEventSummary } from './scan-events.shapes.js';

type StreamedRow = ScanEventSummary & { arrived: string };

/** An event as server-sent events carry it, the same bytes for all that follow it from the same position. */
export class StreamedEvent {
  private readonly data: string;
  private known: { seen: string; until: string; bytes: Buffer } | undefined;

  constructor(private readonly row: StreamedRow) {
    this.data = JSON.stringify(toScanEventSummary(row));
  }

  get arrived(): string {
    return this.row.arrived;
  }

  get length(): number {
    return this.data.length;
  }

  /** The message, with the cursor of the position after it for its id. */
  bytes(seen: string, until: string): Buffer {
    if (this.known?.seen === seen && this.known.until === until) return this.known.bytes;
    const { arrived, id } = this.row;
    const bytes = Buffer.from(`id: ${encodeArrival({ seen, until, arrived, id })}\ndata: ${this.data}\n\n`);
    this.known = { seen, until, bytes };
    return bytes;
  }
}

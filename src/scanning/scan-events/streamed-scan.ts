import { toResourceScan } from './scan-events.mapper.js';
import type { ChangedScan } from './scan-changes.repository.js';

/** A changed scan as a server-sent event, the same bytes for all followers. */
export class StreamedScan {
  private made: Buffer | undefined;

  constructor(readonly scan: ChangedScan) {}

  get length(): number {
    return this.bytes.length;
  }

  /** The message; it has no id, as others of the same moment may follow. */
  get bytes(): Buffer {
    this.made ??= Buffer.from(`event: scan\ndata: ${JSON.stringify(toResourceScan(this.scan))}\n\n`);
    return this.made;
  }
}

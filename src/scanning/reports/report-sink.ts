import { PayloadTooLarge } from '../../common/errors/kinds.js';
import { unzipped } from './report-bytes.js';
import type { Spool } from './spool.js';

export const megabyte = 2 ** 20;

/** Takes the bytes of a report, whichever way they come. */
export interface ReportSink {
  /** Takes all of them, unzipped; throws `PayloadTooLarge` as soon as they are too many, and `Invalid` for broken gzip. */
  fill(bytes: AsyncIterable<Buffer>): Promise<void>;
}

export function tooLarge(maxMegabytes: number): PayloadTooLarge {
  return new PayloadTooLarge(`The report is larger than ${maxMegabytes} MiB: split it, or raise IMPORT_MAX_MB`);
}

/** Puts a report into the spool. */
export function sinkInto(spool: Spool, maxMegabytes: number): ReportSink {
  return {
    async fill(bytes) {
      let total = 0;
      for await (const chunk of unzipped(bytes)) {
        total += chunk.length;
        if (total > maxMegabytes * megabyte) throw tooLarge(maxMegabytes);
        await spool.write(chunk);
      }
    },
  };
}

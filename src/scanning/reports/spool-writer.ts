import { PayloadTooLarge } from '../../platform/errors/errors.js';
import type { SpoolFile } from '../spool-file.js';
import { unzipped } from './report-bytes.js';

export const megabyte = 2 ** 20;

export function tooLarge(maxMegabytes: number): PayloadTooLarge {
  return new PayloadTooLarge(`The report is larger than ${maxMegabytes} MiB: split it, or raise IMPORT_MAX_MB`);
}

/** Writes the bytes of a report into a spool file, however they arrive. */
export class SpoolWriter {
  constructor(
    private readonly spool: SpoolFile,
    private readonly maxMegabytes: number,
  ) {}

  /** Writes all bytes, unzipped. Throws `PayloadTooLarge` as soon as they are too many, and `Invalid` for broken gzip. */
  async write(bytes: AsyncIterable<Buffer>): Promise<void> {
    let total = 0;
    for await (const chunk of unzipped(bytes)) {
      total += chunk.length;
      if (total > this.maxMegabytes * megabyte) throw tooLarge(this.maxMegabytes);
      await this.spool.write(chunk);
    }
  }
}

import { Invalid } from '../../platform/errors/invalid.js';
import type { ReportBytes } from './report-finding.js';

// Unspecified: how long a report may take to be read. The largest takes less than a minute of processor time.
const maxReadingMs = 180_000;

/** The bytes of a report, until reading it has taken too long: then `Invalid`. */
export function withinTime(bytes: ReportBytes, limitMs = maxReadingMs): ReportBytes {
  const end = performance.now() + limitMs;
  return async function* () {
    for await (const piece of bytes()) {
      if (performance.now() > end) {
        const sentence = `The report takes longer than ${limitMs / 1_000} seconds to read: split it`;
        throw Invalid.at(['body'], 'value_error', sentence);
      }
      yield piece;
    }
  };
}

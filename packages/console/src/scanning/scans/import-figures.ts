import type { ImportResult } from '@store-service/sdk';
import { texts } from '../../texts/texts.js';

type Counts = ImportResult['bySeverity']['created'];

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The outcome of an import in a sentence: the figures that its dry run showed. */
export function importInWords({ bySeverity: { created, reopened, seen, setAside } }: ImportResult): string {
  const [again, known, aside] = [reopened, seen, setAside].map(totalOf);
  return [
    texts.scans.newIssues(totalOf(created)),
    ...(again ? [texts.scans.openAgain(again)] : []),
    texts.scans.known(known ?? 0),
    ...(aside ? [texts.scans.setAside(aside)] : []),
  ].join(', ');
}
